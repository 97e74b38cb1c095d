import fc from 'fast-check';
import * as odd from './odd-requests.ts';

const of = (...values: string[]) => fc.constantFrom(...values);
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(''));
const json = (...values: fc.Arbitrary<unknown>[]) =>
  fc.oneof(...values).map((value) => JSON.stringify(value));
const mostly = <T>(weight: number, usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });

const pet = fc.record(
  {
    name: fc.oneof<fc.Arbitrary<unknown>[]>(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('Rex', 'Zoë', '犬', '\u{1F415}', 7, null, 'x'.repeat(1001)),
    ),
    categoryId: fc.constantFrom<unknown>(7, 7, 7, -1, '7', null, 1.5),
    status: fc.constantFrom<unknown>('available', 'pending', 'sold', 'placed', null),
    id: fc.constant(1),
  },
  { requiredKeys: ['name', 'categoryId'] },
);
const rex = fc.constant({ name: 'Rex', categoryId: 7 });
const order = fc.record({ petId: fc.integer({ min: 0, max: 30 }) });
const update = fc.record({ status: of('completed', 'cancelled', 'placed') });

/** Request lines without their query, with bodies: matching pairs and arbitrary pairs. */
const lineAndBody = fc.oneof(
  fc.tuple(of(...odd.READS), of('')),
  fc.tuple(of('POST /v1/pets'), json(rex, rex, pet)),
  fc.tuple(of('POST /v1/store/orders'), json(order)),
  fc.tuple(of(...odd.UPDATES), json(update)),
  fc.tuple(
    fc.oneof(
      of(...odd.READS, ...odd.UPDATES, 'POST /v1/pets'),
      joined(
        of(...odd.METHODS),
        of(' '),
        fc.oneof(of(...odd.paths), joined(of(...odd.FOLDERS), of(...odd.ids))),
      ),
    ),
    fc.oneof(of(''), json(rex, pet, order, update), of(...odd.brokenBodies)),
  ),
);
const query = joined(
  of('?', '?', '?', '??', '?&'),
  fc.array(of(...odd.parameters), { maxLength: 3 }).map((parts) => parts.join('&')),
);
const extras = fc
  .array(mostly(4, of(...odd.ignoredHeaders), of(...odd.effectiveHeaders)), { maxLength: 2 })
  .map((lines) => lines.map((line) => `${line}\r\n`).join(''));

/** Requests for every operation and for unknown paths. Most are well-formed; any part can be unusual. */
export const anyRequest: fc.Arbitrary<odd.Sent> = fc
  .record({
    lineAndBody,
    query: mostly(1, of(''), query),
    version: mostly(9, of('1.1'), of('1.0')),
    headers: joined(mostly(9, of(odd.USUAL), of(...odd.identities)), extras),
    chunked: mostly(9, fc.constant(false), fc.constant(true)),
    apart: mostly(5, fc.constant(false), fc.constant(true)),
  })
  .map(({ lineAndBody: [line, body], query, ...parts }) => odd.sent({ ...parts, line: line + query, body }));
