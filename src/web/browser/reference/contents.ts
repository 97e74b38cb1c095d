import { type Entry, errorCodes, errorsOf, jsonOf, type OpenApi, parametersOf, resolve } from './document.ts';
import type { Guide } from './guides/guides.ts';

/** A line of the contents. */
export interface Item {
  readonly id: string;
  readonly title: string;
  readonly method?: string;
  /** Whether it is deprecated. */
  readonly isOver?: boolean | undefined;
  /** What the filter looks through, in lower case. */
  readonly text: string;
}

export interface Group {
  readonly name: string;
  readonly items: readonly Item[];
}

/** The contents of the page, in its order. */
export function contentsOf(api: OpenApi, entries: readonly Entry[], guides: readonly Guide[]): Group[] {
  const codes = errorCodes(api).flatMap(({ code, status }) => [code, status]);
  return [
    {
      name: 'Guides',
      items: guides.map(({ id, title, text, sends = [], headers = [] }) => ({
        id,
        title,
        text: plain(title, text, ...sends, ...headers, ...(id === 'errors' ? codes : [])),
      })),
    },
    ...(api.tags ?? []).map(({ name }) => ({
      name: capital(name),
      items: entries
        .filter(({ operation }) => operation.tags?.includes(name))
        .map((entry) => operationItem(api, entry)),
    })),
    {
      name: 'Schemas',
      items: Object.entries(api.components?.schemas ?? {}).map(
        ([name, { description = '', properties = {} }]) => ({
          id: `schema-${name}`,
          title: name,
          text: plain(name, description, ...Object.keys(properties)),
        }),
      ),
    },
  ];
}

/** The part of the contents that has every word of the query, upper or lower case. */
export function filtered(groups: readonly Group[], query: string): Group[] {
  const words = query.toLowerCase().split(/\s+/);
  return groups
    .map(({ name, items }) => ({
      name,
      items: items.filter(({ text }) => words.every((word) => text.includes(word))),
    }))
    .filter(({ items }) => items.length > 0);
}

function operationItem(api: OpenApi, { method, path, operation }: Entry): Item {
  const { operationId: id, summary: title = id, description = '', deprecated: isOver } = operation;
  const body = jsonOf(operation.requestBody?.content)?.schema;
  const fields = Object.entries((body && resolve(api, body).properties) ?? {});
  const text = plain(
    ...[title, id, method, path, description],
    ...parametersOf(api, operation).map(({ name }) => name),
    ...fields.flatMap(([name, field]) => [name, field.description ?? '']),
    ...Object.keys(operation.responses ?? {}),
    ...errorsOf(api, operation).map(({ code }) => code),
  );
  return { id, title, method, isOver, text };
}

const plain = (...texts: readonly string[]): string => texts.join('\n').replaceAll('`', '').toLowerCase();

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
