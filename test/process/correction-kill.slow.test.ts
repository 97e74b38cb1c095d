import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pet } from '../../src/contract/pet.ts';
import { assertCorrected } from '../support/database/consistency.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';

const CYCLES = LONG_RUN ? 60 : 6;
const CLIENTS = 12;
const RETRY_MS = 20;
const ANSWERED = 500;
const CHANGES = 8;

interface State {
  readonly name: string;
  readonly status: Pet['status'];
  readonly isRemoved: boolean;
}

/** An animal that one client changes: as the latest answer has it, and as an unanswered request wants it. */
interface Known {
  acknowledged: State;
  requested?: State | undefined;
}

class Corrections {
  readonly origins: string[];
  over = false;
  answered = 0;
  readonly animals = new Map<number, Known>();

  constructor(origins: string[]) {
    this.origins = origins;
  }

  /** Adds animals and changes, removes and restores each until a request is lost. Whether that took effect is unknown. */
  async correct(client: number): Promise<void> {
    for (let n = 0; !this.over; n++) {
      const first = { name: `${client}-${n}`, status: 'available', isRemoved: false } as const;
      const added = await this.#send(client, 'POST', '/v1/pets', { name: first.name, categoryId: 1 });
      if (!added) continue;
      const id = Number((added.json as Pet).id);
      const known: Known = { acknowledged: first };
      this.animals.set(id, known);
      for (let change = 1; change <= CHANGES && !this.over; change++) {
        if (!(await this.#change(client, id, known, change))) break;
      }
    }
  }

  async #change(client: number, id: number, known: Known, change: number): Promise<boolean> {
    const { name, status, isRemoved } = known.acknowledged;
    const path = `/v1/pets/${id}`;
    if (isRemoved) {
      known.requested = { name, status, isRemoved: false };
      return this.#done(known, 200, await this.#send(client, 'POST', `${path}/restore`));
    }
    if (change % 3 === 0) {
      known.requested = { name, status, isRemoved: true };
      return this.#done(known, 204, await this.#send(client, 'DELETE', path));
    }
    const update = {
      name: `${name}+`,
      status: (['pending', 'sold', 'available'] as const)[change % 3] ?? status,
    };
    known.requested = { ...update, isRemoved: false };
    return this.#done(known, 200, await this.#send(client, 'PATCH', path, update));
  }

  #done(known: Known, expected: number, answer: { status: number; text: string } | undefined): boolean {
    if (!answer || !known.requested) return false;
    assert.equal(answer.status, expected, answer.text);
    known.acknowledged = known.requested;
    known.requested = undefined;
    return true;
  }

  /** The answer; undefined if there is none, or if it does not say whether the request took effect. */
  async #send(client: number, method: string, path: string, body?: object) {
    const origin = this.origins[client % this.origins.length] ?? '';
    const answer = await call(origin, method, path, { body }).catch(() => undefined);
    if (answer && answer.status !== 503) {
      this.answered++;
      return answer;
    }
    await sleep(RETRY_MS);
    return undefined;
  }
}

/** Every animal in the file, whichever table has it. One that is in both is an error. */
function statesIn(file: string): Map<number, State> {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = db
      .prepare(
        'SELECT id, name, status, 0 AS removed FROM pets UNION ALL SELECT id, name, status, 1 FROM removed_pets',
      )
      .all() as unknown as (State & { id: number; removed: number })[];
    const states = new Map(
      rows.map(({ id, name, status, removed }) => [id, { name, status, isRemoved: removed === 1 }]),
    );
    assert.equal(states.size, rows.length, 'an animal is in both tables');
    return states;
  } finally {
    db.close();
  }
}

describe('kill -9 of one or both of two processes, while animals are changed, removed and restored', {
  timeout: 900_000,
}, () => {
  it('loses no change that was acknowledged, and makes none by half', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const start = () => spawnService(t, { DATABASE_URL: `sqlite:${file}` });
    const services = await Promise.all([start(), start()]);
    const corrections = new Corrections(services.map(({ origin }) => origin));
    const clients = Promise.all(Array.from({ length: CLIENTS }, (_, client) => corrections.correct(client)));
    t.after(() => {
      corrections.over = true;
    });

    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const enough = corrections.answered + 1 + Math.random() * ANSWERED;
      while (corrections.answered < enough) await Promise.race([sleep(1), clients]);
      const victims = ([[0], [1], [0, 1]] as const)[cycle % 3] ?? [];
      for (const n of victims) services[n].child.kill('SIGKILL');
      for (const n of victims) {
        await services[n].exited;
        services[n] = await start();
        corrections.origins[n] = services[n].origin;
      }
      assertCorrected(file);
    }
    corrections.over = true;
    await clients;
    for (const { child, exited } of services) {
      child.kill('SIGTERM');
      assert.equal(await exited, 0);
    }

    assertCorrected(file);
    const stored = statesIn(file);
    for (const [id, { acknowledged, requested }] of corrections.animals) {
      const state = stored.get(id);
      const possible = requested ? [acknowledged, requested] : [acknowledged];
      const isPossible = possible.some((one) => JSON.stringify(one) === JSON.stringify(state));
      assert.ok(isPossible, `animal ${id} is ${JSON.stringify(state)}, not ${JSON.stringify(possible)}`);
    }
    const unknown = [...corrections.animals.values()].filter(({ requested }) => requested).length;
    const removed = [...stored.values()].filter(({ isRemoved }) => isRemoved).length;
    t.diagnostic(
      `${CYCLES} kills, ${corrections.answered} answers, ${stored.size} animals, ${removed} of them removed, ${unknown} changes without an answer`,
    );
  });
});
