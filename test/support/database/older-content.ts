import { INT64_MIN } from '../../../src/contract/int64.ts';
import { nameKey } from '../../../src/contract/name-key.ts';

/** What is not yet in a store of an older version, by the version of the schema that brought it, in both databases. */
const ORDERS = 2;
const NAME_KEYS = 4;
const REMOVALS_AND_NOTES = 6;
const EVENTS = 9;
const RENAMED_COLUMNS = 10;

type Row = Readonly<Record<string, string | bigint | Date | null>>;
/** A row of a table, with the names that its columns had. */
export type OlderRow = readonly [table: string, row: Row];

const day = (n: number) => new Date(Date.UTC(2026, 9, n, 9, 30, 0, n));

/** Names that are found only in their new folded form: by letters without accents, or by the end of a long one. */
export const olderPets = [
  { id: 1n, name: 'Björn', category_id: 7n, status: 'available' },
  { id: 2n, name: 'Ñandú', category_id: 7n, status: 'pending' },
  { id: 3n, name: 'ZOË', category_id: 7n, status: 'sold' },
  { id: 4n, name: 'Siamese', category_id: 8n, status: 'available' },
  { id: 5n, name: `${'x'.repeat(700)} Ende`, category_id: 8n, status: 'available' },
  { id: 6n, name: 'Łódź', category_id: INT64_MIN, status: 'sold' },
] as const;

export const removedPet = { id: 9n, name: 'Amélie', category_id: 7n, status: 'available' } as const;

/** Not exact as a number. */
const LARGE_ID = 9_007_199_254_740_993n;

/** Orders with the time of the last change and, if it is recorded, of the event of the completion. */
const orders = [
  { id: 1n, petId: 2n, status: 'placed', note: 'Für Frau Lee', changedAt: day(1) },
  { id: 2n, petId: 3n, status: 'completed', changedAt: day(5), completed: day(4) },
  { id: 22n, petId: 6n, status: 'completed', note: 'bar bezahlt', changedAt: day(7) },
  { id: 23n, petId: 1n, status: 'cancelled', changedAt: day(8) },
  { id: LARGE_ID, petId: 4n, status: 'returned', changedAt: day(9), completed: day(6) },
] as const;

export interface OlderOrder {
  readonly id: bigint;
  readonly note: string | undefined;
  readonly completedAt: string | undefined;
}

const ordersOf = (version: number) =>
  version < ORDERS
    ? []
    : orders.filter(({ status }) => status !== 'returned' || version >= REMOVALS_AND_NOTES);

/** The orders that an upgrade from this version leads to. */
export const upgradedOrders = (version: number): OlderOrder[] =>
  ordersOf(version).map(({ id, status, changedAt, ...order }) => {
    const completed = ('completed' in order && version >= EVENTS && order.completed) || changedAt;
    const isCompleted = status === 'completed' || status === 'returned';
    return {
      id,
      note: 'note' in order && version >= REMOVALS_AND_NOTES ? order.note : undefined,
      completedAt: isCompleted ? completed.toISOString() : undefined,
    };
  });

export const hasRemovals = (version: number): boolean => version >= REMOVALS_AND_NOTES;

/** The rows of a store of this version, in an order in which they can be inserted. */
export function olderRows(version: number): OlderRow[] {
  const keyed = ({ name, ...pet }: { readonly name: string }): Row => ({
    ...pet,
    name,
    ...(version >= NAME_KEYS && {
      [version < RENAMED_COLUMNS ? 'name_key' : 'folded_name']: nameKey(name),
    }),
  });
  const rowsOf = (table: string, rows: readonly Row[]) => rows.map((row): OlderRow => [table, row]);
  return [
    ...rowsOf('pets', olderPets.map(keyed)),
    ...rowsOf(
      'orders',
      ordersOf(version).map((order) => orderRow(order, version)),
    ),
    ...rowsOf(
      'removed_pets',
      hasRemovals(version) ? [{ ...keyed(removedPet), removal: 3n, removed_at: day(10) }] : [],
    ),
    ...rowsOf('events', version >= EVENTS ? eventRows() : []),
  ];
}

function orderRow({ id, petId, status, changedAt, ...order }: (typeof orders)[number], version: number): Row {
  return {
    id,
    pet_id: petId,
    status,
    created_at: day(1),
    [version < RENAMED_COLUMNS ? 'updated_at' : 'changed_at']: changedAt,
    ...(version >= REMOVALS_AND_NOTES && 'note' in order && { note: order.note }),
  };
}

/** As the program writes them: the first members decide what an event is about. Those before the first were deleted. */
function eventRows(): Row[] {
  const rows = orders.flatMap(({ id, petId, changedAt, ...order }) => {
    const event = (type: string, at: Date) => ({
      type,
      pet_id: petId,
      at,
      content: `{"order":{"id":${id},"petId":${petId}},"pet":{"id":${petId}}}`,
    });
    if (!('completed' in order)) return [];
    const updated = { ...event('pet.updated', changedAt), content: `{"pet":{"id":${petId}}}` };
    return [event('order.completed', order.completed), event('order.returned', changedAt), updated];
  });
  return rows.map((row, i) => ({ id: BigInt(41 + i), ...row }));
}
