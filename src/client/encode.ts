import { invalidArgument } from './errors.ts';

/** The digits of a 64-bit integer. Rejects what would be rounded or is out of range. */
export function int64Text(name: string, value: number | bigint): string {
  const exact = typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
  if (exact) return `${value}`;
  throw invalidArgument(
    `${name} must be a 64-bit integer: a bigint, or a number that is a safe integer. Got ${value}.`,
  );
}

/**
 * JSON with exact integers; JSON.stringify rejects a bigint. Every number of the interface is a 64-bit integer, so that a new
 * field needs no change here.
 */
export function toJson(fields: object): string {
  const members = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${valueJson(name, value)}`);
  return `{${members.join()}}`;
}

/** The query of a request with its leading `?`; empty if no field is given. */
export function toQuery(fields: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    // Sent without the filter, the request would return every animal.
    if (values.length === 0) throw invalidArgument(`${name} must not be empty.`);
    for (const one of values) parameters.append(name, parameterText(name, one));
  }
  const query = `${parameters}`.replaceAll('+', '%20');
  return query && `?${query}`;
}

function parameterText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (!(value instanceof Date)) return valueJson(name, value);
  if (Number.isNaN(value.getTime())) throw invalidArgument(`${name} must be a valid date.`);
  return value.toISOString();
}

function valueJson(name: string, value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return int64Text(name, value);
  if (Array.isArray(value)) return `[${value.map((one) => valueJson(name, one)).join()}]`;
  return typeof value === 'object' && value !== null ? toJson(value) : JSON.stringify(value);
}
