const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^([1-9]\d{0,4})([smhd])$/;

export const DURATION_RULE = 'must be a time such as 90d, 12h or 30m';

/** A time such as `90d` in milliseconds; undefined if the text is none. */
export function durationMs(text: string): number | undefined {
  const [, count, unit] = DURATION.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
