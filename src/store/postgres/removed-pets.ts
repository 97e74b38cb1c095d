import { foldText } from '../../contract/folded-text.ts';
import { INT64_MAX } from '../../contract/int64.ts';
import type { RemovedPet } from '../../contract/pet.ts';
import type { Page, RemovedPetQuery } from '../store.ts';
import { removedPetColumns, tables } from '../tables.ts';
import type { Db } from './pool/connection.ts';
import { candidatesIn, contains, searchPage } from './reads/search.ts';
import { arrayOf, defineTable } from './table.ts';

export const removalTable = defineTable(tables.removedPets);
/** Without the number of the removal, which is not shown. */
export const removedPetTable = defineTable<RemovedPet>({
  name: removalTable.name,
  columns: removedPetColumns,
});

/**
 * Reads the rows by their ids first: in the order of the removals, the planner could read past any number of other rows. `OFFSET 0` keeps
 * that order out of the sub-select.
 */
const givenPets = (ids: string): string =>
  `(SELECT * FROM removed_pets WHERE id = ANY (${ids}::int8[]) OFFSET 0) AS given`;

export const listRemovedPets = (sql: Db, query: RemovedPetQuery): Promise<Page> =>
  searchPage(sql, removedPetTable, query, (parameter, from) => {
    const { ids, name } = query;
    const table = ids === undefined ? 'removed_pets' : givenPets(parameter(arrayOf(ids)));
    const where = `removal <= ${parameter(from?.id ?? INT64_MAX)}::int8`;
    return {
      candidates: candidatesIn(table, [{ where, order: 'removal DESC' }]),
      matches: name === undefined ? 'true' : contains('folded_name', parameter(foldText(name))),
      text: 'folded_name',
      key: 'removal',
      positionOf: (_id, removal) => ({ id: removal }),
    };
  });
