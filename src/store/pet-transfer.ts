import type { NewPet, Pet, PetStatus } from '../contract/pet.ts';
import { StoreError } from './store.ts';

/** Animals to import. The import fails when this fails, and then changes nothing. */
export type PetBatches = AsyncIterable<readonly (NewPet | Pet)[]>;

export interface ImportOptions {
  /** Whether every animal has an id and keeps it. Only a store without animals accepts that. */
  readonly keepIds: boolean;
  /** Whether to create an SQLite file that does not exist. */
  readonly create?: boolean;
  /** Called when every animal is read and the last step begins, which cannot be observed from outside. */
  readonly onCommit?: () => void;
}

export const notEmpty = () =>
  new StoreError('ids can only be kept in a store without animals: import without --keep-ids');

export const duplicateId = (cause: unknown) =>
  new StoreError('an id occurs twice, so nothing was imported: give each row its own id', { cause });

export interface ExportQuery {
  readonly status?: PetStatus | undefined;
}

/** Receives animals; the next ones are read when its promise resolves. */
export type ReceivePets = (pets: readonly Pet[]) => Promise<void>;
