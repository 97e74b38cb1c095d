import fc from 'fast-check';
import * as v from 'valibot';
import { Pet, PetUpdate } from '../../../src/contract/pet.ts';
import { LATEST_TIME } from '../../../src/contract/time.ts';

const int64 = fc.oneof(
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n + 1n, 0n, -1n),
);
const nasty = fc.constantFrom(...'"\'=+-@\t\r\n,; 🐕\ufeff＝\\a\u2028', '\r\n', '""');
const text = fc.oneof(
  fc.array(nasty, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  fc.constantFrom(
    '=HYPERLINK("http://evil.example")',
    "'=1+1",
    "''@x",
    ' =1+1',
    "' =1+1",
    "'\u00a0@x",
    '-',
    '9007199254740993',
    'NULL',
  ),
);

/** The driver of PostgreSQL reads a year below 100 as one of this century or the last. */
const time = fc
  .date({ min: new Date('0100-01-01T00:00:00.000Z'), max: LATEST_TIME, noInvalidDate: true })
  .map((date) => date.toISOString());

interface Field extends v.GenericSchema {
  readonly wrapped?: Field;
  readonly default?: unknown;
  readonly options?: readonly string[];
}

/** Values that break careless readers and writers, for each field of a schema: a new field needs no change here. */
function valuesOf<T>(entries: Readonly<Record<keyof T, Field>>): fc.Arbitrary<T> {
  const fields = Object.entries<Field>(entries);
  const values = fields.map(([name, field]) => {
    const { options = [] } = field.wrapped ?? field;
    const value = fc.oneof(int64, text, time, ...options.map((option) => fc.constant(option)));
    // Without such a value, the filter would search forever.
    if (!fc.sample(value, 1000).some((one) => v.is(field, one)))
      throw new Error(`no value that is made here is a ${name}: add an arbitrary for ${field.type}`);
    return [name, value.filter((one) => v.is(field, one))] as const;
  });
  const optional = fields
    .filter(([, { wrapped, default: value }]) => wrapped && value === undefined)
    .map(([name]) => name);
  // Often all but one, so that each field also changes alone.
  const allBut = (kept: string) => fc.constant(optional.filter((name) => name !== kept));
  const absent = fc.oneof(fc.subarray(optional), ...optional.map(allBut));
  return fc
    .tuple(fc.record<Record<string, unknown>>(Object.fromEntries(values)), absent)
    .map(
      ([all, without]) =>
        Object.fromEntries(Object.entries(all).filter(([name]) => !without.includes(name))) as T,
    );
}

export const pet = valuesOf<Pet>(Pet.entries);
export const petUpdate = valuesOf<PetUpdate>(PetUpdate.entries);
