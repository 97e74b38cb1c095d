type Cells = readonly string[];

/** A Markdown table whose source is readable, too: the first column left-aligned, all others right-aligned. */
export function table(head: Cells, rows: readonly Cells[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: Cells) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`));
  return [line(head), `|${rule.join('|')}|`, ...rows.map(line)].join('\n');
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

/** A ratio of two measurements, or nothing where one of them is missing. */
export function quotient(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one / other;
}
