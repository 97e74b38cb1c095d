import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertCorrected } from '../support/database/consistency.ts';
import { type NamedPet, petsIn } from '../support/database/database.ts';
import { spawnService } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { KeepAliveClient } from '../support/wire/keep-alive.ts';

const ROUNDS = 10;

/** Adds animals one after the other, each with a unique name, and records which were acknowledged. */
class Writer {
  readonly acknowledged: NamedPet[] = [];
  replayed = 0;
  readonly #label: string;
  readonly #repeats: boolean;
  #n = 0;

  /** With `repeats`, each animal has an Idempotency-Key and is sent again after a crash until it is acknowledged. */
  constructor(label: string, repeats: boolean) {
    this.#label = label;
    this.#repeats = repeats;
  }

  get names(): string[] {
    return Array.from({ length: this.#n }, (_, n) => `${this.#label}-${n}`);
  }

  async writeUntilKilled(port: number): Promise<void> {
    const client = new KeepAliveClient(port);
    try {
      while (await this.writeOne(client));
    } finally {
      client.close();
    }
  }

  /** Whether it was answered. */
  async writeOne(client: KeepAliveClient): Promise<boolean> {
    const name = `${this.#label}-${this.#n}`;
    const headers = this.#repeats ? { 'idempotency-key': name } : {};
    const reply = await client.createPet(name, headers).catch(() => undefined);
    if (reply || !this.#repeats) this.#n++;
    if (!reply) return false;
    assert.equal(reply.status, 201, reply.body);
    const { id, name: given } = JSON.parse(reply.body) as NamedPet;
    assert.equal(given, name);
    this.acknowledged.push({ id, name });
    if (reply.headers['idempotent-replayed'] === 'true') this.replayed++;
    return true;
  }
}

describe('kill -9 while 32 clients write and 8 more retry', { timeout: 120_000 }, () => {
  it('loses no acknowledged animal, stores none twice, and assigns no id twice', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const start = () => spawnService(t, { DATABASE_URL: `sqlite:${file}` });
    const writers = Array.from({ length: 32 }, (_, id) => new Writer(`writer-${id}`, false));
    const repeaters = Array.from({ length: 8 }, (_, id) => new Writer(`repeater-${id}`, true));
    const all = [...writers, ...repeaters];
    const acknowledged = () => all.flatMap((writer) => writer.acknowledged);

    let service = await start();
    for (let round = 1; round <= ROUNDS; round++) {
      const before = acknowledged().length;
      const writing = Promise.all(all.map((writer) => writer.writeUntilKilled(service.port)));
      // Counted, not timed: the process is killed under load even on a slow machine.
      const enough = before + 200 + Math.random() * 600;
      while (acknowledged().length < enough) await Promise.race([sleep(2), writing]);
      service.child.kill('SIGKILL');
      assert.equal(await service.exited, 'SIGKILL');
      await writing;
      service = await start();

      assertCorrected(file);
      const stored = petsIn(file);
      const nameById = new Map(stored.map(({ id, name }) => [id, name]));
      const certain = acknowledged();
      const lost = certain.filter(({ id, name }) => nameById.get(id) !== name);
      t.diagnostic(
        `round ${round}: ${certain.length - before} acknowledged; ${lost.length} of ${certain.length} lost so far; ` +
          `${stored.length} in the file, ${stored.length - certain.length} of them not acknowledged`,
      );
      assert.deepEqual(lost, []);
      assert.equal(new Set(certain.map(({ id }) => id)).size, certain.length, 'an id was assigned twice');
      assert.equal(new Set(stored.map(({ name }) => name)).size, stored.length, 'an animal was added twice');
    }

    const client = new KeepAliveClient(service.port);
    for (const repeater of repeaters) assert.ok(await repeater.writeOne(client));
    client.close();
    const repeated = petsIn(file).filter(({ name }) => name.startsWith('repeater'));
    const keys = repeaters.flatMap(({ names }) => names);
    const replayed = repeaters.reduce((sum, repeater) => sum + repeater.replayed, 0);
    t.diagnostic(`${keys.length} Idempotency-Keys, ${replayed} responses replayed after a crash`);
    assert.deepEqual(repeated.map(({ name }) => name).sort(), keys.sort());
  });
});
