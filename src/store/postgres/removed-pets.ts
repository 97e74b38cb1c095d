import type { Row } from 'postgres';
import type { Author, EventType } from '../../contract/event.ts';
import { INT64_MAX } from '../../contract/int64.ts';
import type { Pet } from '../../contract/pet.ts';
import type { Precondition } from '../../contract/precondition.ts';
import { pageOfCandidates } from '../page.ts';
import type { Page, RemovedPetQuery } from '../store.ts';
import { authorOf, insertEvents } from './events.ts';
import { firstRows } from './pages.ts';
import { expectedValues, PET_CONTENT, petTable } from './pets.ts';
import type { Db } from './pool/connection.ts';
import { refusing } from './refusals.ts';

const REMOVALS = `SELECT removal, ${petTable.json} AS json FROM removed_pets WHERE removal <= $1::int8`;

export async function listRemovedPets(sql: Db, { limit, from }: RemovedPetQuery): Promise<Page> {
  const page = firstRows(REMOVALS, 'removal DESC', '$2::int8', limit);
  const rows = await sql.unsafe(page, [from?.id ?? INT64_MAX, limit], { prepare: true });
  const candidates = rows.map(({ removal, json }) => ({ position: { id: removal }, json }));
  return pageOfCandidates(candidates, limit);
}

/** A statement that changes one animal by a function, which returns it, and records that. The first two values are the author. */
const changeAndRecord = (call: string, type: EventType) => {
  const author = { keyId: '$1::text', keyName: '$2::text' };
  const event = { type: `'${type}'`, petId: 'id', ...author, content: PET_CONTENT };
  return `
    WITH changed AS MATERIALIZED (SELECT ${petTable.list} FROM ${call}), recorded AS (${insertEvents(event, 'changed')})
    SELECT * FROM changed`;
};
const REMOVE = changeAndRecord('remove_pet($3::int8, $4::text, $5::int8, $6::text)', 'pet.removed');
const RESTORE = changeAndRecord('restore_pet($3::int8)', 'pet.restored');

export async function removePet(
  sql: Db,
  id: bigint,
  precondition?: Precondition,
  by?: Author,
): Promise<void> {
  const { name, categoryId, status } = await expectedValues(sql, id, precondition);
  const values = [...authorOf(by), id, name, categoryId, status];
  await refusing(sql.unsafe(REMOVE, values, { prepare: true }));
}

export async function restorePet(sql: Db, id: bigint, by?: Author): Promise<Pet> {
  const [row] = await refusing(sql.unsafe(RESTORE, [...authorOf(by), id], { prepare: true }));
  return petTable.fromRow(row as Row);
}
