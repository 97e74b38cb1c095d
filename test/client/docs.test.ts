import assert from 'node:assert/strict';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { KEY, startService, temporaryFolder } from '../support/service/service.ts';
import { ROOT, run, TSC } from './support/build.ts';

const EXAMPLE = /^```ts\n(.*?)^```$/gms;
/** What a comment after `console.log` says that it prints. */
const PRINTED = /console\.log\(.*\); \/\/ (\S.*)$/gm;

describe('docs/client.md', { timeout: 120_000 }, () => {
  it('has examples that compile and do what they say, one after the other', async (t) => {
    const page = await readFile(join(ROOT, 'docs/client.md'), 'utf8');
    const examples = [...page.matchAll(EXAMPLE)].map(([, code = '']) => code);
    assert.ok(examples.length >= 8, 'the examples were found');
    const program = examples
      .join('\n')
      .replaceAll("'animal-store/client'", `'${join(ROOT, 'src/client/index.ts')}'`);
    const folder = await temporaryFolder(t);
    const { origin } = await startService(t);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'guide.ts'), program.replace('http://127.0.0.1:8080', origin));

    const config = { extends: join(ROOT, 'tsconfig.json'), include: ['guide.ts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const compiled = await run(process.execPath, [TSC, '-p', folder]).catch((error) => error);
    assert.equal(compiled.stdout, '');

    const { stdout } = await run(process.execPath, [join(folder, 'guide.ts')], { env: { API_KEY: KEY } });
    const lines = stdout.split('\n');
    const promised = [...program.matchAll(PRINTED)].map(([, text = '']) =>
      text.split(':')[0] === 'true' ? 'true' : text,
    );
    assert.equal(promised.length, 7);
    for (const text of promised) assert.ok(lines.includes(text), `${text} is not in:\n${stdout}`);
    assert.ok(lines.includes('Rex has found a home already.'));
    assert.ok(lines.includes('Kitty has changed meanwhile.'));
  });
});
