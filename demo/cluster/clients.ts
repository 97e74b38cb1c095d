import { setTimeout as sleep } from 'node:timers/promises';
import { AnimalStore, AnimalStoreError } from '../../src/client/index.ts';
import type { AcknowledgedPet, ClientRecord } from './record.ts';

const CLIENTS = 8;
const PAUSE_MS = 50;
/** Short and constant, unlike the client's own backoff, so that the time without service is measured exactly. */
const RETRY_MS = 100;
/** Longer than the service may take to answer. */
const ATTEMPT_MS = 15_000;
const IDS_PER_READ = 5;

/** Starts clients that create, read and order until `stop`, which resolves when every call has been acknowledged. */
export function startClients(
  baseUrl: string,
  apiKey: string,
  record: ClientRecord,
): { stop(): Promise<void> } {
  // Every attempt is counted, so the client does not repeat them itself.
  const store = new AnimalStore({ baseUrl, apiKey, maxRetries: 0, timeoutMs: ATTEMPT_MS });
  let isStopping = false;

  async function client(number: number): Promise<void> {
    for (let i = 0; !isStopping; i++) {
      const pet = await create(`client ${number}, animal ${i}`);
      await read();
      await orderByTwo(pet);
      await read();
      await sleep(PAUSE_MS);
    }
  }

  async function create(name: string): Promise<AcknowledgedPet> {
    const { id } = await untilAnswered(() =>
      store.createPet({ name, categoryId: 1n }, { idempotencyKey: name.replaceAll(' ', '-') }),
    );
    return record.created(id, name);
  }

  /** Two buyers at once: one of them gets the animal. */
  async function orderByTwo(pet: AcknowledgedPet): Promise<void> {
    const buy = async (buyer: number): Promise<boolean> => {
      const order = await untilAnswered(() =>
        store
          .createOrder({ petId: pet.id }, { idempotencyKey: `order-${pet.id}-buyer-${buyer}` })
          .catch((error: unknown) => {
            if (error instanceof AnimalStoreError && error.code === 'pet_not_available') return undefined;
            throw error;
          }),
      );
      if (order) record.ordered(pet, order.id);
      return order !== undefined;
    };
    const bought = await Promise.all([buy(1), buy(2)]);
    if (!bought.includes(true)) record.orderedByNeither();
  }

  /** Reads animals that some client created: what was acknowledged before the read was sent must be visible in it. */
  async function read(): Promise<void> {
    const sample = Array.from(
      { length: IDS_PER_READ },
      () => record.pets[Math.floor(Math.random() * record.pets.length)],
    ).filter((pet) => pet !== undefined);
    const expected = new Map<bigint, string>();
    const found = await untilAnswered(() => {
      for (const { id, order } of sample) expected.set(id, order ? 'pending' : 'any');
      return store.listPets({ id: [...expected.keys()], limit: 100 });
    });
    const statuses = new Map(found.items.map(({ id, status }) => [id, status]));
    const isShown = ([id, status]: [bigint, string]) =>
      status === 'any' ? statuses.has(id) : statuses.get(id) === status;
    record.read(![...expected].every(isShown));
  }

  /** Repeats an attempt until it succeeds. The record counts those that failed. */
  async function untilAnswered<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        record.failed(reasonOf(error));
        await sleep(RETRY_MS);
      }
    }
  }

  const running = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  return {
    async stop() {
      isStopping = true;
      await running;
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof AnimalStoreError)) return String(error);
  if (error.code === 'network_error') return 'connection lost';
  return error.status === 0 ? error.code : String(error.status);
}
