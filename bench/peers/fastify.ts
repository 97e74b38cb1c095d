import { createHash, timingSafeEqual } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';

/** Fastify 5 with node:sqlite, the ordinary way: a key, JSON schemas for requests and responses, prepared statements. */
const { API_KEY = '', DATABASE = '', PORT } = process.env;

interface NewPet {
  readonly name: string;
  readonly categoryId: number;
  readonly status: string;
}

interface ListQuery {
  readonly limit: number;
  readonly status?: string;
  readonly before: number;
}

const petStatus = { type: 'string', enum: ['available', 'pending', 'sold'] };
const name = { type: 'string', minLength: 1, maxLength: 1000, pattern: '\\S' };
const newPet = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: {
    name,
    categoryId: { type: 'integer' },
    status: { ...petStatus, default: 'available' },
  },
};
const pet = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    categoryId: { type: 'integer' },
    status: { type: 'string' },
  },
};
const listQuery = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    status: petStatus,
    before: { type: 'integer', default: Number.MAX_SAFE_INTEGER },
  },
};
const petParams = { type: 'object', properties: { id: { type: 'integer' } } };

const db = new DatabaseSync(DATABASE);
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
const columns = 'id, name, category_id AS categoryId, status';
const selectPage = db.prepare(`SELECT ${columns} FROM pets WHERE id < ? ORDER BY id DESC LIMIT ?`);
const selectByStatus = db.prepare(
  `SELECT ${columns} FROM pets WHERE status = ? AND id < ? ORDER BY id DESC LIMIT ?`,
);
const selectOne = db.prepare(`SELECT ${columns} FROM pets WHERE id = ?`);
const insert = db.prepare('INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)');

const digest = (text: string) => createHash('sha256').update(text).digest();
const expected = digest(`Bearer ${API_KEY}`);

const app = Fastify();

app.addHook('onRequest', async (request, reply) => {
  if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected))
    return reply.code(401).send({ error: 'unauthorized' });
});

app.get<{ Querystring: ListQuery }>(
  '/v1/pets',
  { schema: { querystring: listQuery, response: { 200: { type: 'array', items: pet } } } },
  async ({ query: { limit, status, before } }) =>
    status ? selectByStatus.all(status, before, limit) : selectPage.all(before, limit),
);

app.get<{ Params: { id: number } }>(
  '/v1/pets/:id',
  { schema: { params: petParams, response: { 200: pet } } },
  async (request, reply) => selectOne.get(request.params.id) ?? reply.code(404).send({ error: 'not found' }),
);

app.post<{ Body: NewPet }>(
  '/v1/pets',
  { schema: { body: newPet, response: { 201: pet } } },
  async ({ body: { name, categoryId, status } }, reply) => {
    const { lastInsertRowid } = insert.run(name, categoryId, status);
    return reply.code(201).send({ id: Number(lastInsertRowid), name, categoryId, status });
  },
);

await app.listen({ port: Number(PORT), host: '127.0.0.1' });
