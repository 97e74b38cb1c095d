import { INT64_MAX } from '../../contract/int64.ts';
import { pageOfCandidates } from '../list-page.ts';
import type { Page, RemovedPetQuery } from '../store.ts';
import { petTable } from './pets.ts';
import type { Db } from './pool/connection.ts';
import { firstRows } from './reads/pages.ts';

const REMOVALS = `SELECT removal, ${petTable.json} AS json FROM removed_pets WHERE removal <= $1::int8`;

export async function listRemovedPets(sql: Db, { limit, from }: RemovedPetQuery): Promise<Page> {
  const page = firstRows(REMOVALS, 'removal DESC', '$2::int8', limit);
  const rows = await sql.unsafe(page, [from?.id ?? INT64_MAX, limit], { prepare: true });
  const candidates = rows.map(({ removal, json }) => ({ position: { id: removal }, json }));
  return pageOfCandidates(candidates, limit);
}
