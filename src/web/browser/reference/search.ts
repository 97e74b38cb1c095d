import { signal } from '@preact/signals';
import { type Entry, type OpenApi, type Parameter, resolve } from './document.ts';
import { errorCodes, guides } from './guides.ts';

/** What the reader searches this page for. */
export const wanted = signal('');

const MOST = 12;
const AROUND = 48;

/** A place of the page that can be found. */
interface Place {
  readonly href: string;
  readonly title: string;
  readonly kind: string;
  /** Everything that is to be found there. */
  readonly text: string;
}

export interface Found extends Place {
  /** The text around the first word, when the title does not contain it. */
  readonly excerpt: string;
}

/** Titles first: what is looked for by name comes before what mentions it. */
export function search(places: readonly Place[], query: string): Found[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  return places
    .filter(({ title, text }) => holds(`${title} ${text}`))
    .toSorted((a, b) => Number(holds(b.title)) - Number(holds(a.title)))
    .slice(0, MOST)
    .map((place) => ({ ...place, excerpt: excerptOf(place.text, words[0] ?? '') }));
}

export const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

function excerptOf(text: string, word: string): string {
  const at = text.toLowerCase().indexOf(word);
  if (at < 0) return '';
  const from = Math.max(0, at - AROUND);
  return `${from > 0 ? '…' : ''}${text.slice(from, at + word.length + AROUND)}…`;
}

export function placesOf(api: OpenApi, entries: readonly Entry[]): Place[] {
  return [
    ...guides.map(({ id, title, text, headers = [] }) => ({
      href: `#${id}`,
      title,
      kind: 'Guide',
      text: [text, ...headers].join(' ').replaceAll('`', ''),
    })),
    ...entries.map(({ method, path, operation }) => ({
      href: `#${operation.operationId}`,
      title: operation.summary ?? operation.operationId,
      kind: method,
      text: [
        operation.operationId,
        path,
        operation.description ?? '',
        ...(operation.parameters ?? []).map((one) => resolve<Parameter>(api, one)).map(describeParameter),
        ...errorCodes(api).flatMap(({ code, operations }) =>
          operations.includes(operation.operationId) ? [code] : [],
        ),
      ]
        .join(' ')
        .replaceAll('`', ''),
    })),
    ...errorCodes(api).map(({ code, status, meaning }) => ({
      href: `#error-${code}`,
      title: code,
      kind: status,
      text: meaning.replaceAll('`', ''),
    })),
    ...Object.entries(api.components?.schemas ?? {}).map(([name, { description = '', properties = {} }]) => ({
      href: `#schema-${name}`,
      title: name,
      kind: 'Schema',
      text: [description, ...Object.keys(properties)].join(' ').replaceAll('`', ''),
    })),
  ];
}

const describeParameter = ({ name, description = '' }: Parameter): string => `${name} ${description}`;
