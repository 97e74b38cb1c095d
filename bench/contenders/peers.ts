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
  note: 'Prepared statements, zod, one configured key. Creates are durable (WAL, synchronous=FULL), each in a commit of its own. It pages by the last id. It has no stored keys, access log, `Link`, idempotency keys or counts, and rounds int64.',
  start: async (environment) => {
    const args = () => ['bench/peers/express.ts'];
    return startScript(environment, 'express', { args, env: await database(environment) });
  },
};

export const fastify: Contender = {
  name: 'Fastify 5, node:sqlite',
  targetOf: keysetTarget,
  supports: () => true,
  note: 'Validates and serializes with its JSON schemas (Ajv). Otherwise like Express.',
  start: async (environment) => {
    const args = () => ['bench/peers/fastify.ts'];
    return startScript(environment, 'fastify', { args, env: await database(environment) });
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
  note: 'With its defaults. Rewrites one JSON file for each create, without fsync. It checks no key and validates nothing. Not measured with a million animals.',
  async start(environment) {
    const file = await createJsonFile(environment.folder, environment.animals);
    const script = 'bench/node_modules/json-server/lib/cli/bin.js';
    return startScript(environment, 'json-server', {
      probe: '/pets',
      args: (port) => [script, '--host', '127.0.0.1', '--port', String(port), file],
    });
  },
};

export const bun: Contender = {
  name: 'Bun, bun:sqlite',
  targetOf: keysetTarget,
  supports: () => true,
  note: 'Another runtime: `Bun.serve` with its router, `bun:sqlite`, zod. Otherwise like Express. The limit of Node does not apply to it.',
  start: async (environment) => {
    const args = () => ['bench/peers/bun.ts'];
    return startScript(environment, 'bun', {
      runtime: 'bench/node_modules/.bin/bun',
      args,
      env: await database(environment),
    });
  },
};
