import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyOf, postgresOf } from '../animals/animals.ts';
import { ourTarget } from '../work/calls.ts';
import { captureAnswers } from './answers.ts';
import { type Contender, startNode } from './contender.ts';
import { express, jsonServer, nest, prism } from './peers.ts';
import { startService } from './service.ts';

export const limit: Contender = {
  name: 'limit',
  target: ourTarget,
  can: () => true,
  note: 'Bare `node:http` that sends answers of this service out of memory, header for header, whichever animal or page is asked for; of a create it reads and parses the body. It checks nothing and keeps nothing.',
  async start(place) {
    const { folder, animals } = place;
    const service = await sqlite.start(place);
    const answers = await captureAnswers(service.port, animals);
    await service.stop();
    const file = join(folder, `answers-${animals}.json`);
    await writeFile(file, JSON.stringify(answers));
    return startNode(place, 'limit', { args: () => ['bench/contenders/limit.ts'], env: { ANSWERS: file } });
  },
};

export const sqlite: Contender = {
  name: 'Animal Store, SQLite',
  target: ourTarget,
  can: () => true,
  note: 'This service as `npm start` runs it, its request log in a file.',
  start: async ({ folder, animals }) =>
    startService(folder, `sqlite:${await copyOf(folder, 'ours', animals)}`),
};

export const onPostgres: Contender = {
  name: 'Animal Store, PostgreSQL',
  target: ourTarget,
  can: ({ postgres }) => postgres !== undefined,
  note: 'The same. CPU and memory are those of this service alone; the server of the database comes on top.',
  async start({ folder, animals, postgres }) {
    if (!postgres) throw new Error('there is no PostgreSQL here');
    return startService(folder, await postgresOf(postgres, animals));
  },
};

export const contenders = [limit, sqlite, onPostgres, express, nest, jsonServer, prism];
