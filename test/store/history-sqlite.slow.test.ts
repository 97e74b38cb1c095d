import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../support/service/service.ts';
import { historyModelSuite } from './history-model.ts';

let databases = 0;
const folders = new WeakMap<TestContext, string>();

async function createUrl(t: TestContext): Promise<string> {
  const folder = folders.get(t) ?? (await temporaryFolder(t));
  folders.set(t, folder);
  return `sqlite:${join(folder, `pets-${databases++}.db`)}`;
}

historyModelSuite(
  createUrl,
  async (url, store) => {
    // What is on the disk at this moment, with a write-ahead log that nobody has closed.
    const path = url.slice('sqlite:'.length);
    const copy = path.replace(/pets-\d+/, `pets-${databases++}`);
    await copyFile(path, copy);
    await copyFile(`${path}-wal`, `${copy}-wal`);
    await store.close();
    return `sqlite:${copy}`;
  },
  25,
);
