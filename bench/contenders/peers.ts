import { createJsonFile, createSqliteFile } from '../datasets/databases.ts';
import { KEY, ourTarget, type TargetOf } from '../workloads/calls.ts';
import { FEW } from '../workloads/workload.ts';
import { type Contender, type Environment, startScript } from './contender.ts';

/** Pages by the last id seen. The more usual OFFSET would read every row before the page. */
const keysetTarget: TargetOf = (call) =>
  call.kind === 'page' ? `/v1/pets?before=${call.before}` : ourTarget(call);

const database = async ({ folder, animals }: Environment) => ({
  API_KEY: KEY,
  DATABASE: await createSqliteFile(folder, 'plain', animals),
});

export const express: Contender = {
  name: 'Express 5, node:sqlite',
  targetOf: keysetTarget,
  supports: () => true,
  note: 'Prepared statements, zod, one configured key, WAL with synchronous=FULL: durable, one commit per create, on the main thread. Pages by the last id (`before`). No stored keys, no access log, no `Link`, no idempotency keys, no counts; rounds int64.',
  start: async (environment) => {
    const args = () => ['bench/peers/express.ts'];
    return startScript(environment, 'express', { args, env: await database(environment) });
  },
};

export const fastify: Contender = {
  name: 'Fastify 5, node:sqlite',
  targetOf: keysetTarget,
  supports: () => true,
  note: "Validation by Fastify's JSON schemas (Ajv), responses serialized by its schemas. Otherwise the same statements, durability and omissions as Express.",
  start: async (environment) => {
    const args = () => ['bench/peers/fastify.ts'];
    return startScript(environment, 'fastify', { args, env: await database(environment) });
  },
};

export const nest: Contender = {
  name: 'NestJS 12, TypeORM',
  targetOf: keysetTarget,
  supports: () => true,
  note: 'On Express, with class-validator, a guard and a TypeORM repository. TypeORM gets node:sqlite instead of better-sqlite3, which is compiled for another Node than the one npm installs here. Durability, pages and omissions as with Express.',
  start: async (environment) => {
    const args = () => ['bench/.build/nest/main.js'];
    return startScript(environment, 'nest', { args, env: await database(environment) });
  },
};

export const jsonServer: Contender = {
  name: 'json-server',
  targetOf: (call) => {
    const newest = '_sort=id&_order=desc&_limit=20';
    if (call.kind === 'first') return `/pets?${newest}`;
    if (call.kind === 'filtered') return `/pets?status=${call.status}&${newest}`;
    return call.kind === 'one' ? `/pets/${call.id}` : '/pets';
  },
  supports: ({ animals }) => animals <= FEW,
  note: 'With its defaults. Stores everything in one JSON file and rewrites all of it for each create, without fsync: not durable, and unsuitable for a million animals. No key, no validation; rounds int64.',
  async start(environment) {
    const file = await createJsonFile(environment.folder, environment.animals);
    const script = 'bench/node_modules/json-server/lib/cli/bin.js';
    return startScript(environment, 'json-server', {
      probe: '/pets',
      args: (port) => [script, '--host', '127.0.0.1', '--port', String(port), file],
    });
  },
};

export const prism: Contender = {
  name: 'Prism, mock server',
  targetOf: (call) => ourTarget(call).slice('/v1'.length),
  supports: ({ animals }) => animals <= FEW,
  note: 'On `docs/openapi.json` with its defaults (static examples), but in one process: its default of two does not start on this Node. A mock: it answers every list with the single animal of the example and stores nothing.',
  start: (environment) =>
    startScript(environment, 'prism', {
      probe: '/pets',
      args: (port) => [
        'bench/node_modules/@stoplight/prism-cli/dist/index.js',
        ...['mock', '-m', 'false', '-h', '127.0.0.1', '-p', String(port), 'docs/openapi.json'],
      ],
    }),
};

export const bun: Contender = {
  name: 'Bun, bun:sqlite',
  targetOf: keysetTarget,
  supports: () => true,
  note: 'Another runtime: `Bun.serve` with its router and `bun:sqlite`, zod, the same statements, durability and omissions as Express. The limit of Node does not apply to it.',
  start: async (environment) => {
    const args = () => ['bench/peers/bun.ts'];
    return startScript(environment, 'bun', {
      runtime: 'bench/node_modules/.bin/bun',
      args,
      env: await database(environment),
    });
  },
};
