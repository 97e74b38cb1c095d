import { describe } from '../src/contract/openapi/operation-object.ts';
import type { Operation } from '../src/contract/operation.ts';
import { operations } from '../src/contract/operations/all.ts';

/** The type of what each operation takes in its query. */
const names: Readonly<Record<string, string>> = {
  listPets: 'PetQuery',
  removePet: 'RemovalQuery',
  listCategories: 'CategoryQuery',
  listOrders: 'OrderQuery',
  getInventory: 'InventoryQuery',
  listEvents: 'EventQuery',
  listKeys: 'KeyQuery',
};

/** What descriptions tell those who write a URL, and what those who call a method have to know instead. */
const phrases: readonly (readonly [url: RegExp, method: string])[] = [
  [/the opaque value from the `Link` header[^.]*/, 'the `cursor` in the `next` of the previous page'],
  [/follow the `Link`[^.]*/, 'go on as long as it has a `next`'],
  [/ Repeat it[^.]*\./, ''],
  [/[^.]*%2B[^.]*\./, ' As text, it needs its offset, such as `2026-11-17T00:00:00+01:00`.'],
];

/** What the client adds for the page size of lists that it iterates over. */
const OF_ITERATORS = 'Iterators use the maximum by default.';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
}

/** The queries of the API as plain TypeScript, and the names that the query of each list may contain. */
export function clientQueries(): string {
  const queries = Object.values<Operation>(operations)
    .map((operation) => ({ operation, parameters: queryOf(operation) }))
    .filter(({ parameters }) => parameters.length > 0);
  const text = queries.map(({ operation, parameters }) => declaration(operation, parameters)).join('\n');
  const lists = queries.filter(({ operation }) => operation.answer.paged);
  const keys = lists.map(
    ({ operation, parameters }) => `'${operation.path}': [${parameters.map(({ name }) => `'${name}'`)}],\n`,
  );
  const models = new Set(
    JSON.stringify(queries.map(({ parameters }) => parameters)).match(/(?<=schemas\/)\w+/g),
  );
  return `// Generated from src/contract/ by \`npm run docs\`.
import type { ${[...models].sort().join(', ')} } from './models.ts';

/** A 64-bit identifier. Numbers are accepted while they are exact, up to \`Number.MAX_SAFE_INTEGER\`. */
export type Id = bigint | number;

${text}
/** What the query of each list may contain. */
export const QUERY_KEYS = {\n${keys.join('')}} as const;
`;
}

const queryOf = (operation: Operation): Parameter[] =>
  (describe(operation).parameters as unknown as Parameter[]).filter((one) => one.in === 'query');

function declaration({ id }: Operation, parameters: readonly Parameter[]): string {
  const name = names[id];
  if (name === undefined) throw new Error(`The client has no type for the query of ${id}.`);
  const isIterated = parameters.some((one) => one.name === 'cursor');
  const fields = parameters.map((one) => {
    const addition = isIterated && one.name === 'limit' ? ` ${OF_ITERATORS}` : '';
    return `/** ${commentOf(one)}${addition} */\nreadonly ${one.name}?: ${typeOf(one.schema)} | undefined;\n`;
  });
  return `/** The query of \`${id}\`. */\nexport interface ${name} {\n${fields.join('')}}\n`;
}

function commentOf({ description = '', example, schema }: Parameter): string {
  const { format, minimum, maximum, maxLength, maxItems, default: fallback } = schema;
  const sentences = [
    phrases.reduce((text, [url, method]) => text.replace(url, method), description),
    maximum !== undefined && `From ${minimum} to ${maximum}.`,
    maxLength !== undefined && `Up to ${maxLength} characters.`,
    maxItems !== undefined && `One, or up to ${maxItems}.`,
    typeof example === 'string' && format === undefined && `For example \`${example}\`.`,
    fallback !== undefined && `Default: \`${fallback}\`.`,
  ];
  const comment = sentences.filter(Boolean).join(' ');
  if (/`Link`|%2B|[Rr]epeat it/.test(comment)) throw new Error(`Not for a method: ${comment}`);
  return comment;
}

function typeOf({ $ref, enum: values, type, format, items }: Schema): string {
  if ($ref) return $ref.replace(/^.*\//, '');
  if (values) return values.map((value) => `'${value}'`).join(' | ');
  if (items) return `${typeOf(items)} | readonly ${typeOf(items)}[]`;
  if (type === 'integer') return format === 'int64' ? 'Id' : 'number';
  if (type === 'boolean') return type;
  if (type === 'string') return format === 'date-time' ? 'string | Date' : type;
  throw new Error(`The client has no type for ${type}.`);
}
