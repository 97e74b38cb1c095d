import { createHash, timingSafeEqual } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import express, { type NextFunction, type Request, type Response } from 'express';
import { z } from 'zod';

/** Express 5 with node:sqlite, the ordinary way: a key, zod schemas for requests, prepared statements, res.json. */
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

function requireKey(request: Request, response: Response, next: NextFunction): void {
  if (timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) next();
  else response.status(401).json({ error: 'unauthorized' });
}

const app = express();
app.disable('x-powered-by');
app.use(express.json());
app.use(requireKey);

app.get('/v1/pets', (request, response) => {
  const { limit, status, before } = ListQuery.parse(request.query);
  response.json(status ? selectByStatus.all(status, before, limit) : selectPage.all(before, limit));
});

app.get('/v1/pets/:id', (request, response) => {
  const pet = selectOne.get(z.coerce.number().int().parse(request.params.id));
  if (pet) response.json(pet);
  else response.status(404).json({ error: 'not found' });
});

app.post('/v1/pets', (request, response) => {
  const { name, categoryId, status } = NewPet.parse(request.body);
  const { lastInsertRowid } = insert.run(name, categoryId, status);
  response.status(201).json({ id: Number(lastInsertRowid), name, categoryId, status });
});

app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
  if (error instanceof z.ZodError) response.status(400).json({ error: error.issues });
  else response.status(500).json({ error: 'internal error' });
});

app.listen(Number(PORT), '127.0.0.1');
