import type { ClientRecord } from './record.ts';
import { connectAsSuperuser, findPrimary, type Topology } from './topology.ts';

/** Every animal and order in the database, with ids as text. */
export interface Stored {
  readonly pets: readonly { readonly id: string; readonly name: string; readonly status: string }[];
  readonly orders: readonly { readonly id: string; readonly petId: string }[];
}

export async function readStored({ nodes }: Topology): Promise<Stored> {
  const sql = connectAsSuperuser(await findPrimary(nodes), 'shop');
  const pets = await sql<Stored['pets'][number][]>`SELECT id::text, name, status FROM animal_store.pets`;
  const orders = await sql<Stored['orders'][number][]>`
    SELECT id::text, pet_id::text AS "petId" FROM animal_store.orders`;
  await sql.end();
  return { pets, orders };
}

/** Counts, in the phase of its acknowledgement, everything acknowledged that is not stored, or that is stored twice. */
export function compareWithStored(record: ClientRecord, stored: Stored): void {
  const petsByName = Map.groupBy(stored.pets, ({ name }) => name);
  const ordersByPet = Map.groupBy(stored.orders, ({ petId }) => petId);
  for (const { id, name, phase, order } of record.pets) {
    const rows = petsByName.get(name) ?? [];
    const pet = rows.find((row) => row.id === String(id));
    if (!pet) phase.lost++;
    phase.doubled += Math.max(0, rows.length - 1);
    if (!order) continue;
    const sales = ordersByPet.get(String(id)) ?? [];
    const isStored = sales.some((sale) => sale.id === String(order.id));
    if (!isStored || pet?.status !== 'pending') order.phase.lost++;
    order.phase.doubled += Math.max(0, sales.length - 1);
  }
}

/** What a client that follows the change feed has received. */
export interface FollowedEvents {
  readonly received: number;
  /** Acknowledged creates and orders without their event. */
  readonly missing: number;
  readonly doubled: number;
}

/** Identifies what an event is about: an animal is created once, and an order placed once. */
export const eventKey = (type: string, id: bigint | undefined): string => `${type} ${id}`;

/** Compares what was acknowledged with how often each event was received. */
export function compareWithEvents(
  record: ClientRecord,
  received: ReadonlyMap<string, number>,
): FollowedEvents {
  const expected = record.pets.flatMap(({ id, order }) => [
    eventKey('pet.created', id),
    ...(order ? [eventKey('order.placed', order.id)] : []),
  ]);
  const counts = [...received.values()];
  return {
    received: counts.reduce((sum, count) => sum + count, 0),
    missing: expected.filter((key) => !received.has(key)).length,
    doubled: counts.reduce((sum, count) => sum + count - 1, 0),
  };
}
