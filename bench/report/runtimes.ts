import { bare, sqlite } from '../contenders/contenders.ts';
import { bun } from '../contenders/peers.ts';
import { table } from '../format.ts';
import type { Comparison } from '../sections/compare.ts';
import type { Results } from './results.ts';

/** Compares Bun with Node: where it needs less CPU than anything on Node can, and where this service is ahead. */
export function runtimesTable({ comparisons }: Results): string {
  const rows = comparisons.flatMap(row);
  return table(['CPU µs', bare.name, sqlite.name, bun.name, ''], rows);
}

function row({ workload, figures }: Comparison): [string[]] | [] {
  const [limit, ours, other] = [bare, sqlite, bun].map(({ name }) => figures.get(name)?.cpu);
  if (limit === undefined || ours === undefined || other === undefined) return [];
  const cells = [limit, ours, other].map((cpu) => cpu.toFixed(0));
  return [[workload.name, ...cells, verdict(limit, ours, other)]];
}

function verdict(limit: number, ours: number, other: number): string {
  if (ours.toFixed(0) === other.toFixed(0)) return 'equal';
  if (ours < other) return 'Animal Store is ahead';
  return other < limit ? "Bun is ahead of Node's limit" : 'Bun is ahead';
}
