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

/** The status of every order in the file, by id. */
export function ordersIn(file: string): Map<number, string> {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = db.prepare('SELECT id, status FROM orders').all() as { id: number; status: string }[];
    return new Map(rows.map(({ id, status }) => [id, status]));
  } finally {
    db.close();
  }
}
