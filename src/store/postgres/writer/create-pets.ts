import type { Author } from '../../../contract/event.ts';
import { type NewPet, type Pet, petJson, petsJson } from '../../../contract/pet.ts';
import type { Write } from '../../actions.ts';
import { UpgradedMeanwhile } from '../../migrations.ts';
import { petTable } from '../pets.ts';
import { COMMIT, type Db } from '../pool/connection.ts';
import { NEWEST_VERSION } from '../schema/migrate.ts';
import { arrayOf, columnsOf } from '../table.ts';
import { IN_TRANSACTION } from '../transaction.ts';
import { beginText, LAST_EVENT, lockEvents } from './locks.ts';

/** A write that only adds animals, about which nothing has to be decided. */
type PlainCreate = Extract<Write, { method: 'createPet' | 'createPets' }>;

export const isPlainCreate = (write: Write): write is PlainCreate =>
  (write.method === 'createPet' || write.method === 'createPets') && !write.args[1]?.idempotencyKey;

/** An import that keeps its ids blocks creates by a lock on the table, which is taken before the one on the events. */
const LOCK_PETS = 'LOCK TABLE pets IN ROW EXCLUSIVE MODE';

const columns = columnsOf(petTable, 'id');
const [BY_ID, BY_NAME] = [1, 2].map((n) => `$${columns.names.length + n}::text[]`);
const CREATE = `
  WITH batch AS MATERIALIZED (
    SELECT *, nextval('pets_id_seq') AS id
    FROM unnest(${columns.placeholders}, ${BY_ID}, ${BY_NAME}) WITH ORDINALITY AS given (${columns.list}, by_id, by_name, place)
    WHERE ${IN_TRANSACTION}
      AND (SELECT max(version) FROM migrations) <= ${NEWEST_VERSION}
  ), inserted AS (
    INSERT INTO pets (id, ${columns.list}) SELECT id, ${columns.list} FROM batch ORDER BY place
  ), recorded AS (
    INSERT INTO events (id, type, pet_id, at, key_id, key_name, content)
    SELECT ${LAST_EVENT} + place, 'pet.created', id, date_trunc('milliseconds', clock_timestamp()), by_id, by_name,
      concat('{"pet":', ${petTable.json}, '}')
    FROM batch ORDER BY place
  )
  SELECT json_agg(id::text ORDER BY place) FROM batch`;

/**
 * Adds the animals of any number of creates, with their events, in one statement and one round trip. The values of each write are
 * returned in the order of the writes. Adds none if a newer version of the program has upgraded the database.
 */
export async function createPets(
  sql: Db,
  writes: readonly PlainCreate[],
  lockMs?: number,
): Promise<unknown[]> {
  const given = writes.map(petsOf);
  const pets = given.flatMap(({ pets }) => pets);
  const authors = given.flatMap(({ pets, by }) => pets.map(() => by));
  const values = [
    ...columns.valuesOf(pets),
    arrayOf(authors.map((by) => by?.keyId)),
    arrayOf(authors.map((by) => by?.keyName)),
  ];
  const begin = { text: `${beginText(lockMs)}; ${LOCK_PETS}` };
  const insert = { text: CREATE, values };
  const [, , [[created] = []]] = await sql.together([begin, lockEvents(lockMs), insert, COMMIT]);
  if (!created) throw new UpgradedMeanwhile();
  const ids: Iterator<string> = (JSON.parse(created) as string[]).values();
  const withId = (pet: NewPet): Pet => ({ id: BigInt(ids.next().value ?? 0), ...pet });
  return writes.map((write) => {
    const json =
      write.method === 'createPet' ? petJson(withId(write.args[0])) : petsJson(write.args[0].map(withId));
    return { json, replayed: false };
  });
}

function petsOf({ method, args }: PlainCreate): { pets: readonly NewPet[]; by: Author | undefined } {
  return { pets: method === 'createPet' ? [args[0]] : args[0], by: args[1]?.by };
}
