import { DatabaseSync } from 'node:sqlite';

export interface NamedPet {
  readonly id: number;
  readonly name: string;
}

/** The animals in the file, read without the service. */
export function petsIn(file: string): NamedPet[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db.prepare('SELECT id, name FROM pets').all() as unknown as NamedPet[];
  } finally {
    db.close();
  }
}
