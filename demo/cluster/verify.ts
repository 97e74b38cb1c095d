import type { ClientRecord } from './record.ts';
import { connectAsSuperuser, findPrimary, type Topology } from './topology.ts';

interface PetRow {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

interface OrderRow {
  readonly id: string;
  readonly pet_id: string;
}

export interface Stored {
  readonly pets: number;
  readonly orders: number;
}

/** Reads every animal and order back from the primary, and counts what was acknowledged and is lost, or is there twice. */
export async function verify({ nodes }: Topology, record: ClientRecord): Promise<Stored> {
  const sql = connectAsSuperuser(await findPrimary(nodes), 'shop');
  const pets = await sql<PetRow[]>`SELECT id::text, name, status FROM animal_store.pets`;
  const orders = await sql<OrderRow[]>`SELECT id::text, pet_id::text FROM animal_store.orders`;
  await sql.end();

  const petsByName = Map.groupBy(pets, ({ name }) => name);
  const ordersByPet = Map.groupBy(orders, ({ pet_id }) => pet_id);
  for (const { id, name, phase, order } of record.pets) {
    const rows = petsByName.get(name) ?? [];
    const row = rows.find((candidate) => candidate.id === String(id));
    if (!row) phase.lost++;
    phase.doubled += Math.max(0, rows.length - 1);
    if (!order) continue;
    const sales = ordersByPet.get(String(id)) ?? [];
    if (!sales.some((sale) => sale.id === String(order.id)) || row?.status !== 'pending') order.phase.lost++;
    order.phase.doubled += Math.max(0, sales.length - 1);
  }
  return { pets: pets.length, orders: orders.length };
}
