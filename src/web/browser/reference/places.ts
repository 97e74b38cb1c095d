import { type Entry, jsonOf, type OpenApi, parametersOf, resolve } from './document.ts';
import { errorCodes } from './guides/errors.ts';
import type { Guide } from './guides/guides.ts';

/** A place of the page that can be found. */
export interface Place {
  readonly href: string;
  readonly title: string;
  /** The part of the title that is not the title of another place. The whole title without it. */
  readonly own?: string;
  readonly kind: string;
  /** Everything that is to be found there. */
  readonly text: string;
}

const plain = (...texts: readonly string[]): string =>
  texts.join(' ').replaceAll('`', '').replaceAll(/\s+/g, ' ');

/** Everything that a search can find, in the order of the page. */
export function placesOf(api: OpenApi, entries: readonly Entry[], guides: readonly Guide[]): Place[] {
  const codes = errorCodes(api);
  return [
    ...entries.map((entry) => operationPlace(entry, codes)),
    ...guides.map(({ id, title, text, headers = [], sends = [] }) => ({
      href: `#${id}`,
      title,
      kind: 'guide',
      text: plain(text, ...new Set([...sends, ...headers])),
    })),
    ...entries.flatMap((entry) => fieldPlaces(api, entry)),
    ...codes.map(({ code, status, meaning }) => ({
      href: `#error-${code}`,
      title: code,
      kind: status,
      text: plain(meaning),
    })),
    ...Object.entries(api.components?.schemas ?? {}).map(([name, { description = '', properties = {} }]) => ({
      href: `#schema-${name}`,
      title: name,
      kind: 'schema',
      text: plain(description, ...Object.keys(properties)),
    })),
  ];
}

function operationPlace({ method, path, operation }: Entry, codes: ReturnType<typeof errorCodes>): Place {
  const { operationId: id, summary = id, description = '' } = operation;
  const errors = codes.flatMap(({ code, operations }) => (operations.includes(id) ? [code] : []));
  return { href: `#${id}`, title: summary, kind: method, text: plain(description, id, path, ...errors) };
}

/** The parameters and the fields of the body. What is left out here is told in a guide. */
function fieldPlaces(api: OpenApi, { operation }: Entry): Place[] {
  const { operationId: id, summary = id, requestBody } = operation;
  const body = jsonOf(requestBody?.content)?.schema;
  const properties = Object.entries((body && resolve(api, body).properties) ?? {});
  return [
    ...parametersOf(api, operation)
      .filter((parameter) => parameter.in !== 'header')
      .map(({ name, in: place, description = '' }) => ({
        href: `#${id}.${name}`,
        title: `${summary}, ${name}`,
        own: name,
        kind: place as string,
        text: plain(description),
      })),
    ...properties.map(([name, { description = '' }]) => ({
      href: `#${id}`,
      title: `${summary}, ${name}`,
      own: name,
      kind: 'body',
      text: plain(description),
    })),
  ];
}
