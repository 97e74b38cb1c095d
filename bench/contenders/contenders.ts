import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPostgresDatabase, createSqliteFile } from '../datasets/databases.ts';
import { ourTarget } from '../workloads/calls.ts';
import type { Workload } from '../workloads/workload.ts';
import { type Contender, type Environment, startScript } from './contender.ts';
import { bun, express, fastify, jsonServer } from './peers.ts';
import { recordResponses } from './recorded-responses.ts';
import { startService } from './service.ts';

export const bare: Contender = {
  name: 'Bare node:http (the limit)',
  targetOf: ourTarget,
  supports: () => true,
  note: 'Sends recorded responses of this service from memory, with the same headers and body for every request of a kind, and parses the body of a create. It checks nothing and stores nothing.',
  async start(environment) {
    const { folder, animals } = environment;
    const service = await startOnSqlite({ folder, animals });
    const responses = await recordResponses(service.port, animals);
    await service.stop();
    const file = join(folder, `responses-${animals}.json`);
    await writeFile(file, JSON.stringify(responses));
    const args = () => ['bench/contenders/bare-server.ts'];
    return startScript(environment, 'bare', { args, env: { RESPONSES: file } });
  },
};

export const sqlite: Contender = {
  name: 'Animal Store, SQLite',
  targetOf: ourTarget,
  supports: () => true,
  note: 'This service as `npm start` runs it, with its access log in a file.',
  start: startOnSqlite,
};

export const onPostgres: Contender = {
  name: 'Animal Store, PostgreSQL',
  targetOf: ourTarget,
  supports: ({ postgres }) => postgres !== undefined,
  note: 'The same. The figures do not contain the database server, whose CPU has a column of its own.',
  async start({ folder, animals, postgres }) {
    if (!postgres) throw new Error('there is no PostgreSQL here');
    const service = await startService(folder, await createPostgresDatabase(postgres, animals));
    const lockFile = await readFile(join(postgres.folder, 'postmaster.pid'), 'utf8');
    return { ...service, databasePid: Number.parseInt(lockFile, 10) };
  },
};

async function startOnSqlite({ folder, animals }: Omit<Environment, 'postgres'>) {
  return startService(folder, `sqlite:${await createSqliteFile(folder, 'ours', animals)}`);
}

/** In the order of the report. */
export const contenders = [bare, sqlite, onPostgres, express, fastify, jsonServer, bun];

const ours = [bare, sqlite, onPostgres];

export function contendersFor({ variantOf, isOursOnly }: Workload): readonly Contender[] {
  return variantOf || isOursOnly ? ours : contenders;
}
