import { compile } from '../../contract/compile.ts';
import { columnsOf, type Table } from './table.ts';

/**
 * Rows that the server packs into two texts: numbers and words, separated by spaces, with the length of each free text;
 * and the free texts, one after the other. The driver parses two values instead of one for every column of every row,
 * which is half of the cost of a page in this process, at the same cost in the server. Both are NULL without a row.
 */
export type Packed = readonly [values: string | null, texts: string | null];

export interface Packing<T> {
  /** The two texts, aggregated over the rows of a SELECT, in the order of its rows. */
  readonly columns: string;
  /** The items of these two texts. */
  readonly unpack: (packed: Packed) => T[];
}

/** A packing of the rows of a table whose columns are integers and text. */
export function packingOf<T>({ columns }: Table<T>): Packing<T> {
  const values: string[] = [];
  const texts: string[] = [];
  const required: string[] = [];
  const optional: string[] = [];
  const all = columnsOf(columns);
  for (const [i, [field, { name, type, isWord, nullable, read }]] of all.entries()) {
    if (read || type === 'timestamptz') throw new Error(`the column ${name} cannot be packed`);
    const isFreeText = type === 'text' && !isWord;
    if (isFreeText) texts.push(name);
    const packed = isFreeText ? `char_length(${name})` : name;
    values.push(nullable ? `coalesce(${packed}::text, '')` : packed);

    const token = `tokens[at + ${i}]`;
    const value = isFreeText ? `nextText(Number(${token}))` : isWord ? token : `BigInt(${token})`;
    if (nullable) optional.push(`if (${token} !== '') item[${JSON.stringify(field)}] = ${value};`);
    else required.push(`${JSON.stringify(field)}: ${value}`);
  }
  const body = `
    const [values, texts] = input;
    if (values === null) return [];
    const tokens = values.split(' ');
    const nextText = textReader(texts);
    const items = [];
    for (let at = 0; at < tokens.length; at += ${all.length}) {
      const item = { ${required.join(', ')} };
      ${optional.join(' ')}
      items.push(item);
    }
    return items;`;
  return {
    columns: `string_agg(concat_ws(' ', ${values.join(', ')}), ' '), string_agg(concat(${texts.join(', ')}), '')`,
    unpack: compile(body, { textReader }),
  };
}

/** Reads texts one after the other. The server counts code points, so that a pair of surrogates counts as one. */
function textReader(texts: string): (codePoints: number) => string {
  const hasPairs = /[\ud800-\udfff]/.test(texts);
  let end = 0;
  return (codePoints) => {
    const start = end;
    end += codePoints;
    if (hasPairs) end = start + unitsOf(texts, start, codePoints);
    return texts.slice(start, end);
  };
}

/** How many UTF-16 code units so many code points from `start` have. */
function unitsOf(text: string, start: number, codePoints: number): number {
  let end = start;
  for (let i = 0; i < codePoints; i++) end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1;
  return end - start;
}
