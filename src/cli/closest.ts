/** The name that was probably meant: the one that differs least, by at most one change for every three characters. */
export function closest(typed: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, changes: changesBetween(typed, name) }))
    .filter(({ name, changes }) => changes <= Math.max(typed.length, name.length) / 3)
    .sort((a, b) => a.changes - b.changes);
  return best?.name;
}

/** How many characters have to be added, removed, replaced or swapped with their neighbour to make one text of the other. */
function changesBetween(a: string, b: string): number {
  // rows[i][j] is the number for the first i characters of a and the first j of b.
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(replaced, swapped, at(i - 1, j) + 1, at(i, j - 1) + 1));
    }
  }
  return at(a.length, b.length);
}
