import { WRONG_CATEGORY_COUNTS, wrongRows } from '../../content-problems.ts';
import type { Db } from '../pool/connection.ts';
import { contentProblems } from './content-check.ts';
import { expectedObjects } from './expected-objects.ts';

interface FoundObject {
  readonly kind: string;
  readonly name: string;
  readonly works: boolean;
}

const IN_SCHEMA = `JOIN pg_class AS owner ON owner.relnamespace = 'animal_store'::regnamespace AND owner.oid =`;
const FOUND = `
  SELECT 'table' AS kind, relname::text AS name, true AS works
  FROM pg_class WHERE relkind = 'r' AND relnamespace = 'animal_store'::regnamespace
  UNION ALL
  SELECT 'index', indexrelid::regclass::text, indisvalid AND indisready FROM pg_index ${IN_SCHEMA} indrelid
  UNION ALL
  SELECT 'trigger', tgname::text, tgenabled IN ('O', 'A') FROM pg_trigger ${IN_SCHEMA} tgrelid AND NOT tgisinternal
  UNION ALL
  SELECT 'function', proname::text, true FROM pg_proc WHERE pronamespace = 'animal_store'::regnamespace`;

/** Everything in the schema. */
export const findObjects = (sql: Db): Promise<FoundObject[]> => sql.unsafe<FoundObject[]>(FOUND);

/** Every statement adds to the counts by triggers, so they agree with the rows in any snapshot. */
const WRONG_COUNTS = `
  SELECT status FROM (
    SELECT status, count(*) AS pets FROM pets GROUP BY status
    UNION ALL SELECT status, -pets FROM inventory
  ) AS both_counts GROUP BY status HAVING sum(pets) <> 0 ORDER BY status`;

const WRONG_COUNTS_BY_CATEGORY = `
  SELECT count(DISTINCT category_id) AS count, min(category_id) AS first FROM (
    SELECT category_id FROM (
      SELECT category_id, status, count(*) AS pets FROM pets GROUP BY category_id, status
      UNION ALL SELECT category_id, status, -pets FROM category_inventory
      UNION ALL SELECT category_id, status, -pets FROM category_changes
    ) AS all_counts GROUP BY category_id, status HAVING sum(pets) <> 0) AS wrong`;

/** What is missing, switched off, unknown or wrong in a schema that has every migration. Must run inside a transaction. Reads all animals and events. */
export async function schemaProblems(sql: Db): Promise<string[]> {
  const expected = new Set(expectedObjects);
  const found = await findObjects(sql);
  const names = new Set(found.map(({ kind, name }) => `${kind} ${name}`));
  const missing = [...expected]
    .filter((object) => !names.has(object))
    .map((object) => `the ${object} is missing`);
  const disabled = found
    .filter(({ works }) => !works)
    .map(({ kind, name }) => `the ${kind} ${name} is ${kind === 'index' ? 'invalid' : 'disabled'}`);
  const unknown = found
    .filter(({ kind, name }) => kind === 'trigger' && !expected.has(`${kind} ${name}`))
    .map(({ name }) => `the trigger ${name} is not one of this program`);
  const problems = [...new Set([...missing, ...disabled, ...unknown])].sort();
  if (missing.some((object) => object.includes(' table '))) return problems;
  const wrong = await sql.unsafe<{ status: string }[]>(WRONG_COUNTS);
  const [byCategory] = await sql.unsafe(WRONG_COUNTS_BY_CATEGORY);
  return [
    ...problems,
    ...wrong.map(({ status }) => `the count of animals with the status ${status} is wrong`),
    ...wrongRows(WRONG_CATEGORY_COUNTS, byCategory?.count, byCategory?.first),
    ...(await contentProblems(sql)),
  ];
}
