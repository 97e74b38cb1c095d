import { setTimeout as sleep } from 'node:timers/promises';
import { AnimalStore, AnimalStoreError } from '../../src/client/index.ts';
import type { AcknowledgedPet, ClientRecord } from './record.ts';

const WRITERS = 8;
/** Clients that only read: a writer that waits for its write does not notice that reads are answered. */
const READERS = 4;
const PAUSE_MS = 50;
/** Short and constant, unlike the client's own backoff, so that the time without service is measured exactly. */
const RETRY_MS = 100;
/** Longer than the service may take to answer. */
const ATTEMPT_MS = 15_000;
const STOP_MS = 60_000;
const IDS_PER_READ = 5;

/** Starts clients that create, read and order until `stop`, which resolves to whether the calls in progress were answered. */
export function startClients(
  baseUrl: string,
  apiKey: string,
  record: ClientRecord,
): { stop(): Promise<boolean> } {
  // Every attempt is counted, so the client does not repeat them itself.
  const store = new AnimalStore({ baseUrl, apiKey, maxRetries: 0, timeoutMs: ATTEMPT_MS });
  let isStopping = false;

  async function writer(number: number): Promise<void> {
    for (let i = 0; !isStopping; i++) {
      const pet = await create(`client ${number}, animal ${i}`);
      if (!pet) continue;
      await read();
      await orderByTwo(pet);
      await read();
      await sleep(PAUSE_MS);
    }
  }

  async function reader(): Promise<void> {
    while (!isStopping) {
      await read();
      await sleep(PAUSE_MS);
    }
  }

  async function create(name: string): Promise<AcknowledgedPet | undefined> {
    const idempotencyKey = name.replaceAll(' ', '-');
    const pet = await untilAnswered(() => store.createPet({ name, categoryId: 1n }, { idempotencyKey }));
    return pet && record.created(pet.id, name);
  }

  /** Two buyers at once: one of them gets the animal, the other one is refused. */
  async function orderByTwo(pet: AcknowledgedPet): Promise<void> {
    const buy = async (buyer: number): Promise<boolean> => {
      const idempotencyKey = `order-${pet.id}-buyer-${buyer}`;
      const order = await untilAnswered(() => store.createOrder({ petId: pet.id }, { idempotencyKey }));
      if (order) record.ordered(pet, order.id);
      return order !== undefined;
    };
    const bought = await Promise.all([buy(1), buy(2)]);
    if (!bought.includes(true)) record.orderedByNeither();
  }

  /** Reads animals that some client created: what was acknowledged before the read was sent must be visible in it. */
  async function read(): Promise<void> {
    // There may be no acknowledged animal yet.
    if (record.pets.length === 0) return;
    const sample = Array.from(
      { length: IDS_PER_READ },
      () => record.pets[Math.floor(Math.random() * record.pets.length)],
    ).filter((pet) => pet !== undefined);
    const expected = new Map<bigint, string>();
    const found = await untilAnswered(() => {
      for (const { id, order } of sample) expected.set(id, order ? 'pending' : 'any');
      return store.listPets({ id: [...expected.keys()], limit: 100 });
    });
    if (!found) return;
    const statuses = new Map(found.items.map(({ id, status }) => [id, status]));
    const isShown = ([id, status]: [bigint, string]) =>
      status === 'any' ? statuses.has(id) : statuses.get(id) === status;
    record.read(![...expected].every(isShown));
  }

  /** Repeats an attempt until it succeeds, or until the service refuses it for good. The record counts what failed. */
  async function untilAnswered<T>(attempt: () => Promise<T>): Promise<T | undefined> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof AnimalStoreError)) throw error;
        if (error.code === 'pet_not_available') return undefined;
        record.failed(reasonOf(error));
        if (error.status >= 400 && error.status < 500) return undefined;
        await sleep(RETRY_MS);
      }
    }
  }

  const running = Promise.all([
    ...Array.from({ length: WRITERS }, (_, number) => writer(number)),
    ...Array.from({ length: READERS }, reader),
  ]);
  return {
    async stop() {
      isStopping = true;
      return Promise.race([running.then(() => true), sleep(STOP_MS, false, { ref: false })]);
    },
  };
}

function reasonOf({ code, status }: AnimalStoreError): string {
  if (code === 'network_error') return 'connection lost';
  return status === 0 ? code : String(status);
}
