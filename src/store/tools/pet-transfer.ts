import type { CategoryName } from '../../contract/category.ts';
import type { Pet, PetStatus, PetUpdate } from '../../contract/pet.ts';
import { nullable, type TableDefinition, text } from '../columns.ts';
import { StoreError } from '../store.ts';
import { tables } from '../tables.ts';

/** An animal to add or, in an update, the fields to change of the one with this id. */
export interface ImportedPet extends PetUpdate {
  readonly id?: bigint | undefined;
  /** The name of the category. One that does not exist is created, with the `categoryId` if that is given too. */
  readonly category?: string | undefined;
  /** Where the row is in its file, to report a problem with it. */
  readonly line?: number | undefined;
}

/** The rows of an import. It fails when this fails, and then changes nothing. */
export type PetBatches = AsyncIterable<readonly ImportedPet[]>;

export interface ImportOptions {
  /** Whether every animal has an id and keeps it. Only a store without animals accepts that. */
  readonly keepIds?: boolean;
  /** Whether rows with an id change the animal that has it. */
  readonly update?: boolean;
  /** Whether to create an SQLite file that does not exist. */
  readonly create?: boolean;
  /**
   * Asked when every row is read and the last step begins, which cannot be observed from outside: whether only to check that the rows fit the store.
   * Then nothing is changed.
   */
  readonly isCheck?: () => boolean;
}

export interface ImportResult {
  /** 0 if the rows were only checked. */
  readonly added: number;
  /** Does not count animals that were already as their row says. */
  readonly changed: number;
  /** The categories that were created. */
  readonly categories: readonly CategoryName[];
}

export interface RowProblem {
  readonly line: number;
  readonly problem: string;
}

/** Rows that are valid, but do not fit what is in the store. */
export class RowsRefused extends StoreError {
  readonly rows: readonly RowProblem[];

  /** `isComplete` says whether these are all of them. */
  constructor(rows: readonly RowProblem[], isComplete: boolean) {
    // A row may have several problems.
    const { size } = new Set(rows.map(({ line }) => line));
    const what = size === 1 ? '1 row does' : `${isComplete ? '' : 'At least '}${size} rows do`;
    super(`${what} not fit the store`);
    this.rows = rows;
  }
}

export interface ExportQuery {
  readonly status?: PetStatus | undefined;
  /** Only animals whose name contains every word of this text, as in a search. */
  readonly name?: string | undefined;
}

/** An animal with the name of its category, if that has one. */
export interface ExportedPet extends Pet {
  readonly category?: string | undefined;
}

export const exportedTable: TableDefinition<ExportedPet> = {
  name: tables.pets.name,
  columns: { ...tables.pets.columns, category: nullable(text('category')) },
};

/** Receives animals; the next ones are read when its promise resolves. */
export type ReceivePets = (pets: readonly ExportedPet[]) => Promise<void>;
