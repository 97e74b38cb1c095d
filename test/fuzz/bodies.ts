import fc from 'fast-check';
import { anyJson } from './any-json.ts';
import { brokenBodies } from './odd-requests.ts';

const of = (...values: string[]) => fc.constantFrom(...values);
const quoted = (text: fc.Arbitrary<string>) => text.map((value) => JSON.stringify(value));

const name = quoted(
  fc.oneof(
    of('Rex', 'Zoë', '犬', '\u{1F415}', ' ', '', '\0', '\ud800', 'x'.repeat(1000), '\u{1F415}'.repeat(1001)),
    fc.string({ unit: 'binary', maxLength: 40 }),
  ),
);
const int64 = fc.oneof(
  of('1', '7', '0', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808'),
  of('9223372036854775808', '1.0', '1e2', '1.5', '-0', '1e400', '12e-1', '1E+2'),
);
const small = fc.integer({ min: 1, max: 300 }).map(String);

/** A field of the contract, mostly with a value of its type, sometimes with any JSON, sometimes missing or repeated. */
function field(key: string, value: fc.Arbitrary<string>): fc.Arbitrary<string[]> {
  const one = fc
    .oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: anyJson })
    .map((text) => `${JSON.stringify(key)}:${text}`);
  return fc.oneof(
    { weight: 18, arbitrary: one.map((text) => [text]) },
    { weight: 1, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.tuple(one, one) },
  );
}

const unknownField = fc
  .tuple(
    of('id', '__proto__', 'constructor', 'Name', 'name ', '', '\u0000', 'toString'),
    fc.oneof(of('1', 'null', '[]', '{"a":[]}'), anyJson),
  )
  .map(([key, text]) => `${JSON.stringify(key)}:${text}`);

function object(...fields: fc.Arbitrary<string[]>[]): fc.Arbitrary<string> {
  const known = fc.tuple(...fields).map((members) => members.flat());
  const unknown = fc.oneof(
    { weight: 4, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.array(unknownField, { minLength: 1, maxLength: 3 }) },
  );
  return fc
    .tuple(known, unknown, of('', '', '', ' ', '\r\n\t'))
    .map(([known, unknown, space]) => `{${space}${[...known, ...unknown].join(`,${space}`)}${space}}`);
}

const status = of('"available"', '"pending"', '"sold"', '"Sold"', '"placed"', 'null');
const optional = (one: fc.Arbitrary<string[]>) => fc.oneof(fc.constant<string[]>([]), one);
const optionalStatus = optional(field('status', status));
export const newPet = object(field('name', name), field('categoryId', int64), optionalStatus);
export const petUpdate = object(
  optional(field('name', name)),
  optional(field('categoryId', int64)),
  optionalStatus,
);
export const newPets = object(
  field(
    'pets',
    fc.oneof(
      { weight: 9, arbitrary: fc.array(newPet, { maxLength: 5 }).map((pets) => `[${pets.join()}]`) },
      { weight: 1, arbitrary: newPet.map((pet) => `[${Array(101).fill(pet).join()}]`) },
    ),
  ),
);
/** Few names, so that some are taken. */
const categoryName = fc.oneof(name, quoted(of('Cats', 'CATS', 'Dogs', 'Fish', 'Straße', 'STRASSE')));
export const newCategory = object(field('name', categoryName));
export const newOrder = object(
  field('petId', fc.oneof({ weight: 4, arbitrary: small }, int64)),
  optional(field('note', name)),
);
export const orderUpdate = object(
  field('status', of('"completed"', '"cancelled"', '"returned"', '"placed"', '"sold"')),
);

const scope = of('"pets:read"', '"pets:write"', '"store:read"', '"keys:write"', '"*"', '"any"', '1');
const time = of(
  '2099-01-01T00:00:00Z',
  '2099-12-31T23:59:59.999999+14:00',
  '1999-01-01T00:00:00Z',
  '2099-02-30T00:00:00Z',
  'x',
);
export const newKey = object(
  field('name', name),
  field(
    'scopes',
    fc.oneof(
      { weight: 9, arbitrary: fc.uniqueArray(scope, { maxLength: 3 }).map((scopes) => `[${scopes.join()}]`) },
      { weight: 1, arbitrary: scope.map((one) => `[${Array(5000).fill(one).join()}]`) },
    ),
  ),
  optional(field('expiresAt', quoted(time))),
);
export const keyRotation = object(
  optional(field('overlap', quoted(of('24h', '1s', '7d', '99999d', '0s', '1w', '', '1.5h')))),
);

/** Mostly the object that belongs to the request, sometimes any other text, sometimes with some bytes replaced. */
export function bodyOf(object: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const text = fc.oneof(
    { weight: 32, arbitrary: object },
    { weight: 4, arbitrary: anyJson },
    { weight: 4, arbitrary: of(...brokenBodies, '['.repeat(60_000), '"'.padEnd(65_536)) },
    { weight: 1, arbitrary: fc.constant(' '.repeat(65_537)) },
  );
  const edits = fc.oneof(
    { weight: 5, arbitrary: fc.constant<[number, number][]>([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 3 }),
    },
  );
  return fc.tuple(text, edits).map(([text, edits]) => {
    const bytes = Buffer.from(text);
    for (const [at, byte] of edits) if (bytes.length > 0) bytes[at % bytes.length] = byte;
    return bytes;
  });
}
