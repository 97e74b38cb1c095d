/// <reference types="bun" />
import { Database } from 'bun:sqlite';
import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** Bun with its own server and SQLite driver, the ordinary way: routes of Bun.serve, a key, zod, prepared statements. */
const { API_KEY = '', DATABASE = '', PORT } = process.env;

const PetStatus = z.enum(['available', 'pending', 'sold']);
const NewPet = z.object({
  name: z.string().trim().min(1).max(1000),
  categoryId: z.int(),
  status: PetStatus.default('available'),
});
const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  status: PetStatus.optional(),
  before: z.coerce.number().int().default(Number.MAX_SAFE_INTEGER),
});

const db = new Database(DATABASE);
db.run('PRAGMA journal_mode = WAL');
db.run('PRAGMA synchronous = FULL');
const columns = 'id, name, category_id AS categoryId, status';
const selectPage = db.query(`SELECT ${columns} FROM pets WHERE id < ? ORDER BY id DESC LIMIT ?`);
const selectByStatus = db.query(
  `SELECT ${columns} FROM pets WHERE status = ? AND id < ? ORDER BY id DESC LIMIT ?`,
);
const selectOne = db.query(`SELECT ${columns} FROM pets WHERE id = ?`);
const insert = db.query('INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)');

const digest = (text: string) => createHash('sha256').update(text).digest();
const expected = digest(`Bearer ${API_KEY}`);

function requireKey<T extends Request>(handler: (request: T) => Response | Promise<Response>) {
  return (request: T) =>
    timingSafeEqual(digest(request.headers.get('authorization') ?? ''), expected)
      ? handler(request)
      : Response.json({ error: 'unauthorized' }, { status: 401 });
}

Bun.serve({
  port: Number(PORT),
  hostname: '127.0.0.1',
  routes: {
    '/v1/pets': {
      GET: requireKey((request) => {
        const query = Object.fromEntries(new URL(request.url).searchParams);
        const { limit, status, before } = ListQuery.parse(query);
        return Response.json(
          status ? selectByStatus.all(status, before, limit) : selectPage.all(before, limit),
        );
      }),
      POST: requireKey(async (request) => {
        const { name, categoryId, status } = NewPet.parse(await request.json());
        const { lastInsertRowid } = insert.run(name, categoryId, status);
        return Response.json({ id: Number(lastInsertRowid), name, categoryId, status }, { status: 201 });
      }),
    },
    '/v1/pets/:id': {
      GET: requireKey((request: Bun.BunRequest<'/v1/pets/:id'>) => {
        const pet = selectOne.get(z.coerce.number().int().parse(request.params.id));
        return pet ? Response.json(pet) : Response.json({ error: 'not found' }, { status: 404 });
      }),
    },
  },
  error: (error) =>
    error instanceof z.ZodError
      ? Response.json({ error: error.issues }, { status: 400 })
      : Response.json({ error: 'internal error' }, { status: 500 }),
});
