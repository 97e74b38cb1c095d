/** What clients saw between two faults. */
export interface Phase {
  readonly name: string;
  readonly startedAt: number;
  creates: number;
  orders: number;
  reads: number;
  /** Attempts that failed, by status or cause. Each was repeated with the same Idempotency-Key until it succeeded. */
  readonly failures: Map<string, number>;
  /** When the last attempt failed, counted from the start of the phase. */
  lastFailureMs: number;
  /** The longest time in which no write was acknowledged, and in which no read was answered, to any client. */
  longestWithoutWriteMs: number;
  longestWithoutReadMs: number;
  /** Reads that did not show an animal or an order that had been acknowledged before the read was sent. */
  staleReads: number;
  lost: number;
  doubled: number;
}

/** An acknowledged animal, with its order when that has been acknowledged, too. */
export interface AcknowledgedPet {
  readonly id: bigint;
  readonly name: string;
  readonly phase: Phase;
  order?: { readonly id: bigint; readonly phase: Phase };
}

/** Everything the service acknowledged, and what it refused, by phase. */
export class ClientRecord {
  readonly phases: Phase[] = [];
  readonly pets: AcknowledgedPet[] = [];
  #phase: Phase;
  #wroteAt = performance.now();
  #readAt = performance.now();

  constructor(firstPhase: string) {
    this.#phase = this.begin(firstPhase);
  }

  begin(name: string): Phase {
    this.#phase = {
      name,
      startedAt: performance.now(),
      creates: 0,
      orders: 0,
      reads: 0,
      failures: new Map(),
      lastFailureMs: 0,
      longestWithoutWriteMs: 0,
      longestWithoutReadMs: 0,
      staleReads: 0,
      lost: 0,
      doubled: 0,
    };
    this.phases.push(this.#phase);
    return this.#phase;
  }

  created(id: bigint, name: string): AcknowledgedPet {
    const pet = { id, name, phase: this.#phase };
    this.#phase.creates++;
    this.#wrote();
    this.pets.push(pet);
    return pet;
  }

  /** A second acknowledged order of the same animal is a sale that was made twice. */
  ordered(pet: AcknowledgedPet, id: bigint): void {
    this.#phase.orders++;
    this.#wrote();
    if (pet.order) this.#phase.doubled++;
    else pet.order = { id, phase: this.#phase };
  }

  /** Both buyers of an available animal were told that it is not available. */
  orderedByNeither(): void {
    this.#phase.lost++;
  }

  read(isStale: boolean): void {
    const now = performance.now();
    this.#phase.reads++;
    this.#phase.longestWithoutReadMs = Math.max(this.#phase.longestWithoutReadMs, now - this.#readAt);
    this.#readAt = now;
    if (isStale) this.#phase.staleReads++;
  }

  failed(reason: string): void {
    const { failures, startedAt } = this.#phase;
    failures.set(reason, (failures.get(reason) ?? 0) + 1);
    this.#phase.lastFailureMs = performance.now() - startedAt;
  }

  hasWrittenSince(time: number): boolean {
    return this.#wroteAt > time;
  }

  #wrote(): void {
    const now = performance.now();
    this.#phase.longestWithoutWriteMs = Math.max(this.#phase.longestWithoutWriteMs, now - this.#wroteAt);
    this.#wroteAt = now;
  }
}
