import { pageOfCandidates } from '../page.ts';
import type { Page, RemovedPetQuery } from '../store.ts';
import { petTable } from './pets.ts';
import type { Db } from './pool/connection.ts';

const PAGE = `
  SELECT removal, ${petTable.json} AS json FROM removed_pets
  WHERE removal <= coalesce($1::int8, removal) ORDER BY removal DESC LIMIT $2::int8 + 1`;

export async function listRemovedPets(sql: Db, { limit, from }: RemovedPetQuery): Promise<Page> {
  const rows = await sql.unsafe(PAGE, [from?.id ?? null, limit], { prepare: true });
  const candidates = rows.map(({ removal, json }) => ({ position: { id: removal }, json }));
  return pageOfCandidates(candidates, limit);
}
