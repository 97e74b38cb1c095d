import { copyOf, jsonOf } from '../animals/animals.ts';
import { KEY, ourTarget, type Target } from '../work/calls.ts';
import { FEW } from '../work/works.ts';
import { type Contender, type Place, startNode } from './contender.ts';

/** Pages by the last id seen: the same cost on every page, where the more usual OFFSET would walk to it row by row. */
const keysetTarget: Target = (call) =>
  call.kind === 'page' ? `/v1/pets?before=${call.before}` : ourTarget(call);

const database = async ({ folder, animals }: Place) => ({
  API_KEY: KEY,
  DATABASE: await copyOf(folder, 'plain', animals),
});

export const express: Contender = {
  name: 'Express 5, node:sqlite',
  target: keysetTarget,
  can: () => true,
  note: 'Prepared statements, zod, one key, WAL with synchronous=FULL: durable, a commit a create, on the main thread. Pages by the last id (`before`). No stored keys, no request log, no `Link`, no idempotency keys, no counts; rounds int64.',
  start: async (place) =>
    startNode(place, 'express', { args: () => ['bench/peers/express.ts'], env: await database(place) }),
};

export const nest: Contender = {
  name: 'NestJS 12, TypeORM',
  target: keysetTarget,
  can: () => true,
  note: 'On Express, with class-validator, a guard and a repository of TypeORM, which is handed node:sqlite in place of better-sqlite3: that one is built for another Node than npm brings here. Durable and paged as Express above, and lacks the same.',
  start: async (place) =>
    startNode(place, 'nest', { args: () => ['bench/.build/nest/main.js'], env: await database(place) }),
};

export const jsonServer: Contender = {
  name: 'json-server',
  target: (call) => {
    const newest = '_sort=id&_order=desc&_limit=20';
    if (call.kind === 'first') return `/pets?${newest}`;
    if (call.kind === 'filtered') return `/pets?status=${call.status}&${newest}`;
    return call.kind === 'one' ? `/pets/${call.id}` : '/pets';
  },
  can: ({ animals }) => animals <= FEW,
  note: 'As it comes. Keeps everything in one JSON file and writes all of it anew for each create, without fsync: not durable, and nothing for a million animals. No key, no validation; rounds int64.',
  async start(place) {
    const file = await jsonOf(place.folder, place.animals);
    const script = 'bench/node_modules/json-server/lib/cli/bin.js';
    return startNode(place, 'json-server', {
      probe: '/pets',
      args: (port) => [script, '--host', '127.0.0.1', '--port', String(port), file],
    });
  },
};

export const prism: Contender = {
  name: 'Prism, mock server',
  target: (call) => ourTarget(call).slice('/v1'.length),
  can: ({ animals }) => animals <= FEW,
  note: 'On `docs/openapi.json`, as it comes (static examples), but in one process: the two of its default do not start on this Node. A mock: holds no animals, answers every list with the one of the example, keeps nothing.',
  start: (place) =>
    startNode(place, 'prism', {
      probe: '/pets',
      args: (port) => [
        'bench/node_modules/@stoplight/prism-cli/dist/index.js',
        ...['mock', '-m', 'false', '-h', '127.0.0.1', '-p', String(port), 'docs/openapi.json'],
      ],
    }),
};
