import { chmod, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onCleanup } from '../../bench/cleanup.ts';

/** A temporary folder for data and logs that every user can read. It is removed at the end. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'animal-store-demo-')));
  onCleanup(() => removeFolder(folder));
  await chmod(folder, 0o755);
  return folder;
}

/** After a failure, keeps the logs. */
async function removeFolder(folder: string): Promise<void> {
  const isKept = (name: string) => process.exitCode === 1 && name.endsWith('.log');
  const names = await readdir(folder);
  for (const name of names.filter((name) => !isKept(name)))
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 10 });
  if (!names.some(isKept)) await rm(folder, { recursive: true, force: true });
}
