import { exactInt64 } from './decimal.ts';

/** Objects are lists of their members in order of name; a number that is not an int64 is NaN; -0 is the integer 0. */
export type Plain =
  | null
  | boolean
  | string
  | number
  | bigint
  | Plain[]
  | { members: (readonly [string, Plain])[] };

const TOKEN = /"(?:[^"\\]|\\.)*"|[-+.\deE]+|[{}[\]]|true|false|null/gsu;

/**
 * The simplest parser, which converts every number from its text by exact arithmetic. It does not use the source text
 * access of JSON.parse, so that the two have only the syntax in common.
 */
export function reference(text: string): Plain {
  JSON.parse(text);
  const tokens = (text.match(TOKEN) ?? []).values();
  const take = (): string => tokens.next().value ?? '';
  const value = (token: string): Plain => {
    if (token === '[') {
      const items: Plain[] = [];
      for (let next = take(); next !== ']'; next = take()) items.push(value(next));
      return items;
    }
    if (token === '{') {
      const members = new Map<string, Plain>();
      for (let next = take(); next !== '}'; next = take()) members.set(JSON.parse(next), value(take()));
      return object(members);
    }
    return /^[-\d]/.test(token) ? int64(token) : JSON.parse(token);
  };
  return value(take());
}

const object = (members: Iterable<readonly [string, Plain]>): Plain => ({
  members: [...members].sort(([a], [b]) => (a < b ? -1 : 1)),
});

function int64(text: string): Plain {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const power = Number(exponent) - fraction.length;
  if (digits === 0n) return 0;
  if (Math.abs(power) > 200) return Number.NaN;
  const exact = exactInt64({ text, digits, power });
  if (exact === undefined) return Number.NaN;
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}

/** The result of `parseJson`, in the format of the reference. */
export function plain(value: unknown): Plain {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value + 0 : Number.NaN;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value as Plain;
  return object(Object.entries(value).map(([name, one]) => [name, plain(one)] as const));
}
