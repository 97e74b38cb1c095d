import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figures, type Load, measure } from './load.ts';
import { create, KEY, list, median, pet, say, start, startService, stopAll } from './service.ts';

/** npm run bench: listPets beside the limit, and creates with 1 and 64 clients. Takes a minute and a half. */
const ROUNDS = 5;
const SECONDS = 3;

const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'));
try {
  const started = performance.now();
  const service = await startService(`sqlite:${join(folder, 'pets.db')}`);
  const base = `http://127.0.0.1:${service.port}/v1/pets`;
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  await fetch(base, { headers });
  say(`start to first answer: ${Math.round(performance.now() - started)} ms`);
  for (let i = 0; i < 20; i++) await fetch(base, { method: 'POST', headers, body: pet });
  const limit = await start(['bench/limit.ts'], { BODY: await (await fetch(base, { headers })).text() });

  const work: Record<string, Omit<Load, 'seconds'>> = {
    'limit, GET, 32 clients': { ...limit, clients: 32, request: list },
    'listPets, 32 clients': { ...service, clients: 32, request: list },
    'limit, POST, 64 clients': { ...limit, clients: 64, request: create },
    'createPet, 1 client': { ...service, clients: 1, request: create },
    'createPet, 64 clients': { ...service, clients: 64, request: create },
  };
  const figures = new Map<string, Figures[]>();
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, load] of Object.entries(work)) {
      const figure = await measure({ ...load, seconds: SECONDS });
      if (round > 0) figures.set(name, [...(figures.get(name) ?? []), figure]);
    }
  }
  for (const [name, rounds] of figures) {
    const cpu = median(rounds.map((round) => round.cpu)).toFixed(0);
    const perSecond = median(rounds.map((round) => round.perSecond)).toFixed(0);
    say(`${name.padEnd(24)} ${cpu.padStart(5)} µs CPU/request ${perSecond.padStart(7)} requests/s`);
  }
} finally {
  stopAll();
  rmSync(folder, { recursive: true, force: true });
}
