import fc from 'fast-check';

/** A JSON number in its parts, for example `-`, `12`, `50`, `e-1` for -12.50e-1. */
interface Decimal {
  readonly text: string;
  /** The number is `digits` times ten to the power of `power`. */
  readonly digits: bigint;
  readonly power: number;
}

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });

/** Every JSON notation of a number: digits, fractions, exponents. Many are integers, and many are near 2^63. */
export const anyDecimal: fc.Arbitrary<Decimal> = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(
      digits(1, 22).map((text) => text.replace(/^0+(?=\d)/, '')),
      fc.bigInt({ min: 2n ** 63n - 3n, max: 2n ** 63n + 3n }).map(String),
    ),
    fraction: fc.oneof(
      fc.constant(''),
      digits(1, 22),
      fc.integer({ min: 1, max: 22 }).map((n) => '0'.repeat(n)),
    ),
    exponent: fc.oneof(fc.constant(undefined), fc.integer({ min: -45, max: 45 })),
    mark: fc.constantFrom('e', 'E', 'e+', 'E+'),
  })
  .map(({ sign, whole, fraction, exponent, mark }) => ({
    text: `${sign}${whole}${fraction && `.${fraction}`}${exponentText(exponent, mark)}`,
    digits: BigInt(`${sign}${whole}${fraction}`),
    power: (exponent ?? 0) - fraction.length,
  }));

function exponentText(exponent: number | undefined, mark: string): string {
  if (exponent === undefined) return '';
  return exponent < 0 ? `${mark[0]}${exponent}` : `${mark}${exponent}`;
}

/** The decimal as an int64, by exact arithmetic; undefined if it is not one. */
export function exactInt64({ digits, power }: Decimal): bigint | undefined {
  const scale = 10n ** BigInt(Math.abs(power));
  if (power < 0 && digits % scale !== 0n) return undefined;
  const value = power < 0 ? digits / scale : digits * scale;
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
