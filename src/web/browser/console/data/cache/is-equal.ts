/** Whether two values of JSON are the same. A field that is undefined counts as absent. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return Object.keys({ ...left, ...right }).every((field) => isEqual(left[field], right[field]));
}
