import fc from 'fast-check';

const int64 = fc.oneof(
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n + 1n, 0n, -1n),
);
const nasty = fc.constantFrom(
  ...[
    '"',
    "'",
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '\r\n',
    ',',
    ';',
    ' ',
    '🐕',
    '\ufeff',
    '＝',
    '\\',
    'a',
    '\u2028',
    '""',
  ],
);
const petName = fc
  .oneof(
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
  )
  .filter((name) => /\P{White_Space}/u.test(name) && name.isWellFormed() && !name.includes('\0'));
/** Animals with names and numbers that break careless readers and writers. */
export const pet = fc.record({
  id: int64,
  name: petName,
  categoryId: int64,
  status: fc.constantFrom('available' as const, 'pending' as const, 'sold' as const),
});
