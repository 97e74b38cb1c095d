interface Named {
  readonly id: bigint;
  readonly name: string;
}

/** One language for every device, so that two tills show the same order. Numbers count by value; case and accents do not count. */
const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Orders by name as people do, `Kitten 2` before `Kitten 10`; what has the same name, by id. */
export const byName = (a: Named, b: Named): number => names.compare(a.name, b.name) || compareIds(a.id, b.id);

function compareIds(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
