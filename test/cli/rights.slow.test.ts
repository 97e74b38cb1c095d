import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { MAIN } from '../support/service/launch.ts';
import { paste } from '../support/service/paste.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { isRootWith } from '../support/service/tools.ts';

/** Root as any other account: without the capabilities to which no right of a file applies. */
const lost = '-dac_override,-dac_read_search';
const WITHOUT_POWERS =
  process.getuid?.() === 0 ? ['setpriv', `--bounding-set=${lost}`, `--inh-caps=${lost}`] : [];
/** What the system and SQLite say, and what does not help. */
const RAW =
  /E(?:ACCES|PERM|ROFS)|permission denied|readonly|unable to open|I\/O error|not permitted|in a moment/i;
const NOBODY = 65_534;

const made = await temporaryFolder({ after });
await (await openStore(`sqlite:${join(made, 'pets.db')}`)).close();

/** A shop with a database, and a folder with files that a command reads or replaces. */
async function start(t: { after(cleanUp: () => unknown): void }) {
  const folder = join(await temporaryFolder(t), "the shop's");
  for (const name of ['', 'shop', 'data']) await mkdir(join(folder, name));
  for (const name of ['shop/pets.db', 'data/old.db'])
    await copyFile(join(made, 'pets.db'), join(folder, name));
  for (const name of ['in.csv', 'data/old.csv'])
    await writeFile(join(folder, name), 'name,categoryId\nRex,7\n,1\n');
  return folder;
}

/** What a command prints to standard error, or as a problem of the doctor. A service that listens is stopped. */
async function linesOf(folder: string, line: string, wrapper = WITHOUT_POWERS): Promise<string[]> {
  const [command = '', ...args] = [...wrapper, process.execPath, MAIN, ...line.split(' ')];
  const env = { PATH: process.env.PATH, PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'shop/pets.db')}` };
  const child = spawn(command, args, { cwd: folder, env });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes(' listens on ')) child.kill('SIGKILL');
    });
  await once(child, 'close');
  return text.split('\n').filter((one) => /^(?:animal-store:|problem +(?:database|backups))/.test(one));
}

const everywhere = ['doctor', 'keys list', 'export', 'import in.csv', 'backup b.db', 'serve'];
/** What is changed in the shop, which commands are tried, and what each says that this account may not do. */
const cases: Record<string, { path: string; mode: number; lines: string[]; says: string }> = {
  'a folder that cannot be entered': { path: 'shop', mode: 0o600, lines: everywhere, says: 'enter' },
  'a folder that cannot be written': { path: 'shop', mode: 0o500, lines: everywhere, says: 'write to' },
  'a database that cannot be read': { path: 'shop/pets.db', mode: 0o200, lines: everywhere, says: 'read' },
  'a database that cannot be written': {
    path: 'shop/pets.db',
    mode: 0o400,
    lines: ['doctor', 'keys create --name till', 'import in.csv --skip-invalid', 'seed 1', 'serve'],
    says: 'write',
  },
  'what SQLite has left beside it': {
    path: 'shop/pets.db-wal',
    mode: 0o400,
    lines: ['doctor', 'serve'],
    says: 'write',
  },
  'the same for the index of its log': {
    path: 'shop/pets.db-shm',
    mode: 0o400,
    lines: ['doctor', 'serve'],
    says: 'write',
  },
  'a file to import': { path: 'in.csv', mode: 0, lines: ['import in.csv'], says: 'read' },
  'a backup to restore': {
    path: 'data/old.db',
    mode: 0,
    lines: ['restore data/old.db --database sqlite:new.db'],
    says: 'read',
  },
  'a folder to write into': {
    path: 'data',
    mode: 0o500,
    lines: [
      'export data/new.csv',
      'export data/old.csv --overwrite',
      'import in.csv --skip-invalid --rejected data/rejected.csv',
      'backup data/new.db',
      'backup data/old.db --overwrite',
      'restore shop/pets.db --database sqlite:data/new.db',
      'move --to sqlite:data/new.db',
      'serve --backup-dir=data',
      'doctor --backup-dir=data',
    ],
    says: 'write to',
  },
  'a folder that hides what is in it': {
    path: 'data',
    mode: 0o600,
    lines: ['export data/new.csv', 'import data/old.csv', 'restore data/old.db', 'serve --backup-dir=data'],
    says: 'enter',
  },
};

describe('What this account may not do', { concurrency: 2, timeout: 240_000 }, () => {
  for (const [what, { path, mode, lines, says }] of Object.entries(cases)) {
    it(`is said of ${what} by every command, with advice that works when it is pasted`, async (t) => {
      if (process.getuid?.() === 0 && !isRootWith(t, 'setpriv')) return;
      for (const line of lines) {
        const folder = await start(t);
        const file = join(folder, path);
        if (/-(?:wal|shm)$/.test(path)) await writeFile(file, '');
        await chmod(file, mode);
        const [message = '', ...others] = await linesOf(folder, line);
        assert.deepEqual(others, [], line);
        assert.match(message, /this account \([^)]+\) may not \S.*: chmod u\+rw/, line);
        assert.ok(message.includes(` may not ${says} ${file}`), `${line}: ${message}`);
        assert.doesNotMatch(message, RAW, line);
        paste(message.slice(message.indexOf('chmod')));
        assert.ok(!(await linesOf(folder, line)).some((text) => text.includes('may not')), line);
      }
    });
  }

  it('names the account that may, and the files of another one in a folder of this one', async (t) => {
    if (!isRootWith(t, 'setpriv')) return;
    const folder = await start(t);
    await chown(join(folder, 'shop/pets.db'), NOBODY, NOBODY);
    await chmod(join(folder, 'shop/pets.db'), 0o600);
    const [file = ''] = await linesOf(folder, 'serve');
    assert.match(file, /may not read \S.*pets\.db, which belongs to nobody: sudo chown root '/);
    paste(file.slice(file.indexOf('sudo')));
    assert.deepEqual(await linesOf(folder, 'keys list'), []);
    await chown(join(folder, 'shop'), NOBODY, NOBODY);
    await chmod(join(folder, 'shop'), 0o700);
    await chown(folder, NOBODY, NOBODY);
    for (const line of everywhere)
      assert.match(
        (await linesOf(folder, line)).join(),
        /may not enter \S.*shop, which belongs to nobody: run it as nobody, for example with sudo --preserve-env=DATABASE_URL -u nobody$/,
      );
  });

  it('is also said of a disk that is mounted read-only', async (t) => {
    if (!isRootWith(t, 'unshare', 'mount')) return;
    const folder = await start(t);
    const script = 'mount --bind shop shop && mount -o remount,bind,ro shop && exec "$@"';
    for (const line of [...everywhere, 'export shop/new.csv', 'doctor --backup-dir=shop']) {
      const [message = '', ...others] = await linesOf(folder, line, [
        'unshare',
        '-m',
        'sh',
        '-c',
        script,
        'sh',
      ]);
      assert.match(
        message,
        /may not write (?:to )?\S.*shop(?:\/pets\.db)?, because its disk is mounted read-only: mount it /,
      );
      assert.doesNotMatch(message, RAW);
      assert.ok(others.length === (line.includes('backup-dir') ? 1 : 0), others.join());
    }
    assert.deepEqual(await readdir(join(folder, 'shop')), ['pets.db']);
  });
});
