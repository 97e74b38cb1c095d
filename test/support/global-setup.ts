import { createTemplate } from './database/postgres.ts';

const cleanups: (() => Promise<void>)[] = [];

/** Runs once before all test files, because installing PostgreSQL and creating a cluster takes a second of CPU time. */
export async function globalSetup(): Promise<void> {
  try {
    process.env.TEST_POSTGRES = await createTemplate((work) => cleanups.push(work));
  } catch {
    // The tests that need PostgreSQL say what is wrong.
  }
}

export async function globalTeardown(): Promise<void> {
  for (const work of cleanups.reverse()) await work();
}
