import { compile } from '../../contract/compile.ts';
import type { Db } from './connection.ts';
import { columnsOf, type Table } from './table.ts';

/**
 * A result that the server packs into one row of two texts: numbers and words, separated by spaces, with the length of
 * each free text; and the free texts, one after the other. Both are NULL without an item.
 *
 * The driver then parses two values instead of one for every column of every row, which halves what many rows cost this
 * process, and costs the server the same. And the server sends nothing before it has read everything: when a statement
 * fails after its first rows, the driver adds as many empty rows to the next result on the connection
 * (github.com/porsager/postgres/issues/1119).
 */
export type Packed = readonly [values: string | null, texts: string | null];

export type Value = string | bigint | number;

/** The result of a statement that packs it. */
export async function packedRow(sql: Db, statement: string, values: Value[]): Promise<Packed> {
  const rows: unknown = await sql.unsafe(statement, values, { prepare: true }).values();
  return (rows as Packed[])[0] as Packed;
}

export interface Packing<T> {
  /** Packs the rows of a SELECT, in their order, into the columns `packed_values` and `packed_texts`. */
  readonly pack: (select: string) => string;
  readonly unpack: (packed: Packed) => T[];
  /** Packs, runs and unpacks a SELECT. */
  readonly readAll: (sql: Db, select: string, values?: Value[]) => Promise<T[]>;
}

export function packingOf<T>(table: Table<T>): Packing<T> {
  const { values, texts, itemsOf } = compiledPacking(table);
  const pack = (select: string) => `
    SELECT string_agg(concat_ws(' ', ${values.join(', ')}), ' ') AS packed_values,
      string_agg(concat(${["''", ...texts].join(', ')}), '') AS packed_texts
    FROM (${select}) AS item`;
  const unpack = ([values, texts]: Packed) =>
    values === null ? [] : itemsOf({ tokens: values.split(' '), nextText: textReader(texts) });
  return {
    pack,
    unpack,
    readAll: async (sql, select, values = []) => unpack(await packedRow(sql, pack(select), values)),
  };
}

interface PackedItems {
  readonly tokens: readonly string[];
  readonly nextText: (codePoints: number) => string;
}

function compiledPacking<T>({ columns }: Table<T>) {
  const values: string[] = [];
  const texts: string[] = [];
  const required: string[] = [];
  const optional: string[] = [];
  const scope: Record<string, unknown> = {};
  const all = columnsOf(columns);
  for (const [i, [field, { name, type, isWord, nullable, read }]] of all.entries()) {
    const token = `input.tokens[at + ${i}]`;
    let [packed, value] = [name, isWord ? token : `BigInt(${token})`];
    if (type === 'timestamptz') {
      packed = `floor(extract(epoch FROM ${name}) * 1000)::int8`;
      value = `new Date(Number(${token}))`;
    } else if (type === 'text' && !isWord) {
      packed = `char_length(${name})`;
      value = `input.nextText(Number(${token}))`;
      texts.push(name);
    }
    values.push(nullable ? `coalesce(${packed}::text, '')` : packed);
    if (read) {
      scope[`read${i}`] = read;
      value = `read${i}(${value})`;
    }
    if (nullable) optional.push(`if (${token} !== '') item[${JSON.stringify(field)}] = ${value};`);
    else required.push(`${JSON.stringify(field)}: ${value}`);
  }
  const body = `
    const items = [];
    for (let at = 0; at < input.tokens.length; at += ${all.length}) {
      const item = { ${required.join(', ')} };
      ${optional.join(' ')}
      items.push(item);
    }
    return items;`;
  return { values, texts, itemsOf: compile<PackedItems, T[]>(body, scope) };
}

/** Reads texts one after the other. The server counts code points, so that a pair of surrogates counts as one. */
function textReader(texts: string | null): (codePoints: number) => string {
  const all = texts ?? '';
  const hasPairs = /[\ud800-\udfff]/.test(all);
  let end = 0;
  return (codePoints) => {
    const start = end;
    if (hasPairs) for (let i = 0; i < codePoints; i++) end += isPair(all, end) ? 2 : 1;
    else end += codePoints;
    return all.slice(start, end);
  };
}

const isPair = (text: string, at: number): boolean => (text.codePointAt(at) ?? 0) > 0xffff;
