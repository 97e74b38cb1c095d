import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../support/service/service.ts';

const LOG_OUTPUT = pathToFileURL(join(import.meta.dirname, '../../src/serve/log-output.ts')).href;

type Line = Readonly<Record<string, unknown>>;

function linesIn(printed: string): Line[] {
  assert.ok(printed.endsWith('}\n'), 'the last line is complete');
  return printed
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/** A program that logs; `log` and `output` are those of the service. */
async function programFile(t: TestContext, program: string, before = ''): Promise<string> {
  const file = join(await temporaryFolder(t), 'program.ts');
  const shared = program.includes('fork(');
  const start = `import { openLog } from '${LOG_OUTPUT}';
    ${before}
    const { log, output } = openLog({ logLevel: 'info', apiKeys: [], reusePort: ${shared} });\n`;
  await writeFile(file, start + program);
  return file;
}

/** Runs a program to its end, with its standard output redirected by the shell. */
async function run(
  t: TestContext,
  program: string,
  redirect = '',
  before = '',
): Promise<{ code: number; printed: string }> {
  const command = `'${process.execPath}' '${await programFile(t, program, before)}' ${redirect}`;
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => child.kill('SIGKILL'));
  const [[code], printed] = await Promise.all([once(child, 'exit'), text(child.stdout)]);
  return { code: code as number, printed };
}

const numbers = (lines: readonly Line[]) => lines.map(({ n }) => n);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Uses both ways to write to the log in one tick, with more than one write can hold. */
const MANY_LINES = `for (let n = 0; n < 3000; n++) {
  if (n % 2) log.info({ n }, 'hello');
  else output.write(JSON.stringify({ n }) + '\\n');
}\n`;

describe('the log on standard output', { concurrency: 2, timeout: 60_000 }, () => {
  const exits = { '': 0, 'process.exit(3)': 3, "throw new Error('on purpose')": 1 };
  for (const [exit, expected] of Object.entries(exits)) {
    it(`contains every line logged before the process ended, in order: ${exit || 'end of program'}`, async (t) => {
      const piped = await run(t, MANY_LINES + exit, '| cat');
      assert.deepEqual(numbers(linesIn(piped.printed)), upTo(3000));
      const socket = await run(t, MANY_LINES + exit);
      assert.equal(socket.code, expected);
      assert.deepEqual(numbers(linesIn(socket.printed)), upTo(3000));
      const file = join(await temporaryFolder(t), 'log');
      await run(t, MANY_LINES + exit, `> '${file}'`);
      assert.deepEqual(numbers(linesIn(await readFile(file, 'utf8'))), upTo(3000));
    });
  }

  it('contains every line of many ticks, in order, when it is a file', async (t) => {
    const file = join(await temporaryFolder(t), 'log');
    const program = `for (let n = 0; n < 3000; n++) {
      log.info({ n }, 'hello');
      if (n % 7 === 0) await new Promise(setImmediate);
      if (n % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await output.flush();\n`;
    await run(t, program, `> '${file}'`);
    assert.deepEqual(numbers(linesIn(await readFile(file, 'utf8'))), upTo(3000));
  });

  it('says in one line when this version of Node cannot keep a socket from blocking, and is written all the same', async (t) => {
    const before = 'process.stdout._handle.setBlocking = undefined;';
    const lines = linesIn((await run(t, MANY_LINES, '', before)).printed);
    assert.match(String(lines[0]?.msg), /^this version of Node lacks .* a log that never blocks it$/);
    assert.deepEqual(numbers(lines.slice(1)), upTo(3000));
  });

  it('contains a complete line even if it is longer than one write', async (t) => {
    const program = "for (const n of [0, 1, 2]) log.info({ n, long: 'ü'.repeat(100_000) }, 'long');";
    const lines = linesIn((await run(t, program)).printed);
    assert.deepEqual(
      lines.map(({ n, long }) => [n, String(long).length]),
      [0, 1, 2].map((n) => [n, 100_000]),
    );
  });

  it('contains only complete lines when several processes write faster than it is read', async (t) => {
    const program = `import { fork } from 'node:child_process';
      const [, file, by] = process.argv;
      if (by === undefined) for (const by of ['1', '2', '3']) fork(file, [by], { stdio: 'inherit' });
      else {
        for (let n = 0; n < 4000; n++) {
          output.write(JSON.stringify({ n, by, x: (n % 2 ? 'ü' : 'x').repeat(100) }) + '\\n');
          if (n % 400 === 0) await new Promise(setImmediate);
        }
        while (!output.flushSync()) await new Promise((resolve) => setTimeout(resolve, 20));
      }\n`;
    const slowly = `| '${process.execPath}' -e 'process.stdin.on("data", (chunk) => {
      process.stdin.pause(); process.stdout.write(chunk); setTimeout(() => process.stdin.resume(), 1) })'`;
    const lines = linesIn((await run(t, program, slowly)).printed);
    for (const writer of ['1', '2', '3']) {
      assert.deepEqual(numbers(lines.filter(({ by }) => by === writer)), upTo(4000));
    }
  });

  for (const [kind, redirect] of Object.entries({ pipe: '| cat', socket: '' })) {
    it(`drops and counts lines while nothing reads them, and logs the count afterwards: ${kind}`, async (t) => {
      const file = await programFile(
        t,
        `for (let n = 0; n < 20_000; n++) {
          log.info({ n, x: 'x'.repeat(100) }, 'hello');
          if (n % 100 === 0) await new Promise(setImmediate);
        }
        console.error(output.dropped);
        await new Promise((resolve) => process.stdin.resume().on('end', resolve));
        log.info({ n: 'last' }, 'hello');\n`,
      );
      const child = spawn('sh', ['-c', `'${process.execPath}' '${file}' ${redirect}`]);
      t.after(() => child.kill('SIGKILL'));
      // While the program writes, nothing reads.
      const dropped = Number((await once(child.stderr, 'data'))[0]);
      let printed = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        printed += chunk;
        if (printed.includes('log lines dropped')) child.stdin.end();
      });
      await once(child, 'close');
      const lines = linesIn(printed);
      const [report, ...more] = lines.filter(({ msg }) => msg === 'log lines dropped');
      t.diagnostic(`${dropped} of 20,000 lines dropped`);
      assert.ok(dropped > 1000, `${dropped} dropped`);
      assert.deepEqual([report?.level, report?.dropped, more], [40, dropped, []]);
      const written = upTo(20_000 - dropped);
      assert.deepEqual(
        numbers(lines),
        [...written, undefined, 'last'],
        'the lines that fitted come first, then the count',
      );
    });
  }

  it('does not delay the exit of the process when nothing reads it, even if another process makes it block', async (t) => {
    // The flag belongs to the socket: this is what a process that shares it does.
    const block = 'process.stdout._handle.setBlocking(true);\n';
    const file = await programFile(t, `${block}${MANY_LINES.replace('3000', '9000')} process.exit(4);`);
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'ignore'] });
    t.after(() => child.kill('SIGKILL'));
    assert.deepEqual(await once(child, 'exit'), [4, null]);
  });
});
