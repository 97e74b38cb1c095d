import { hash } from 'node:crypto';
import type { TableDefinition } from '../columns.ts';
import { StoreError } from '../store.ts';
import { RESOURCES, type Resource, type StoreContent, tables } from '../tables.ts';

/** How many rows are in memory at once. */
export const CHUNK_ROWS = 1000;

type Item = StoreContent[Resource];

/** Some of the items of one resource. */
export interface DumpChunk {
  readonly resource: Resource;
  readonly items: readonly Item[];
}

/** All items, one resource after the other, in the order of `RESOURCES`. */
type DumpChunks = Iterable<DumpChunk> | AsyncIterable<DumpChunk>;

/** The table of a resource, for code that treats every resource in the same way. */
export const tableOfItems = (resource: Resource): TableDefinition<Item> =>
  tables[resource] as unknown as TableDefinition<Item>;

export type Counts = Readonly<Record<Resource, number>>;

export interface Dump {
  /** How many items of each resource there are, as the database counts them. */
  readonly counts: Counts;
  readonly chunks: DumpChunks;
}

export const TABLES: readonly string[] = RESOURCES.map((resource) => tables[resource].name);

/** Counts everything, in one row for `countsIn`. */
export const COUNT_ROWS = `SELECT ${TABLES.map((name) => `(SELECT count(*) FROM ${name}) AS ${name}`).join(', ')}`;

/** Finds whether there is, or ever was, anything but API keys and stored answers. */
export const ANY_CONTENT: string = RESOURCES.filter((name) => name !== 'keys' && name !== 'idempotencyKeys')
  .map((resource) => `SELECT 1 FROM ${tables[resource].name}`)
  .join(' UNION ALL ')
  .concat(' LIMIT 1');

export const countsIn = (row: Readonly<Record<string, unknown>> | undefined): Counts =>
  Object.fromEntries(RESOURCES.map((resource) => [resource, Number(row?.[tables[resource].name])])) as Counts;

/** A new store that is not in use before all of the dump is in it. */
interface Target {
  insert(chunk: DumpChunk): void | Promise<void>;
  /** Reads what was inserted. */
  chunks(): DumpChunks;
}

/** Copies everything, reads it again from the copy, and throws unless every item is there with the same value in every field. */
export async function copyAndVerify({ counts, chunks }: Dump, target: Target): Promise<void> {
  const original = await sumsOf(chunks, (chunk) => target.insert(chunk));
  const copy = await sumsOf(target.chunks());
  for (const resource of RESOURCES) {
    const { name } = tables[resource];
    const [expected, found] = [counts[resource], copy[resource].count];
    if (found !== expected)
      throw new StoreError(
        `the copy has ${found} rows of ${name} instead of ${expected}: nothing was moved, try again`,
      );
    if (copy[resource].digest !== original[resource].digest)
      throw new StoreError(`the copy of ${name} differs from the original: nothing was moved, try again`);
  }
}

/** The sums of the digests of all items, which do not depend on the order in which a database returns its rows. */
async function sumsOf(chunks: DumpChunks, receive?: Target['insert']) {
  const sums = Object.fromEntries(
    RESOURCES.map((resource) => [resource, { count: 0, digest: 0n }]),
  ) as Record<Resource, { count: number; digest: bigint }>;
  for await (const chunk of chunks) {
    const sum = sums[chunk.resource];
    const fields = Object.keys(tables[chunk.resource].columns);
    sum.count += chunk.items.length;
    for (const item of chunk.items) {
      const values = fields.map((field) => (item as unknown as Record<string, unknown>)[field]);
      sum.digest += BigInt(`0x${hash('sha256', JSON.stringify(values, withIntegers))}`);
    }
    await receive?.(chunk);
  }
  return sums;
}

const withIntegers = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;
