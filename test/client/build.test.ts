import assert from 'node:assert/strict';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { AnimalStore, Event } from '../../src/client/index.ts';
import { BASE_PATH, type Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations/all.ts';
import { KEY, startService, temporaryFolder } from '../support/service/service.ts';
import { buildClient, ROOT, run, TSC } from './support/build.ts';
import { clientOf } from './support/client.ts';
import { startGateway } from './support/gateway.ts';

/** Does not compile when a query accepts a value that the service rejects. */
export const wrongQueries = (store: AnimalStore): unknown[] => [
  // @ts-expect-error: no such status
  store.listPets({ status: 'gone' }),
  // @ts-expect-error: no such filter
  store.listPets({ colour: 'black' }),
  // @ts-expect-error: an identifier is no string
  store.listOrders({ petId: '1' }),
  // @ts-expect-error: the second one is no type of an event
  store.listEvents({ type: ['pet.created', 'pet.sold'] }),
  // @ts-expect-error: a stream has no pages
  store.events({ limit: 1 }),
];

/** Does not compile unless the type of an event says what it has. */
export const partsOf = (event: Event): unknown => {
  if (event.type === 'order.completed') return event.order.petId;
  if (event.type === 'pet.removed') return event.pet.reason;
  if (event.type === 'category.renamed') return [event.category.id, event.before.name];
  if (event.type === 'pets.imported') return event.imported.count;
  // @ts-expect-error: no such type
  if (event.type === 'pet.sold') return event.before?.status;
  // @ts-expect-error: it may be that of a category, which has no animal
  return event.pet.id;
};

describe('The client', () => {
  it('has a method for every operation of the contract, which sends every parameter of its query', async (t) => {
    const { origin } = await startService(t);
    const gateway = await startGateway(t, origin, []);
    const store = clientOf(gateway.baseUrl, { maxRetries: 0 }) as unknown as Record<
      string,
      (...args: unknown[]) => Promise<unknown>
    >;
    const parameters: string[] = [];
    for (const { id, path, params, query } of Object.values<Operation>(operations)) {
      assert.equal(typeof store[id], 'function', id);
      for (const name of Object.keys(query?.entries ?? {})) {
        const given = { [name]: '1' };
        // The service may reject the value: what counts is that it is sent.
        await store[id]?.(...(params ? [1, given] : [given])).catch(() => {});
        parameters.push(`${BASE_PATH}${path.replace(/\{\w+\}/, '1')}?${name}=1`);
      }
    }
    assert.deepEqual(
      gateway.requests.map((request) => request.path),
      parameters,
    );
  });

  it('marks what the contract deprecates, with the date', async () => {
    const source = await readFile(join(ROOT, 'src/client/animal-store.ts'), 'utf8');
    const marked = [...source.matchAll(/@deprecated ([^*]*)\*\/\s*(?:async )?(\w+)/g)];
    const deprecated = Object.values(operations).flatMap((one) => ('deprecated' in one ? [one] : []));
    assert.deepEqual(
      marked.map(([, , name]) => name),
      deprecated.map(({ id }) => id),
    );
    for (const [index, one] of deprecated.entries()) {
      const sunset = new Date(one.deprecated.sunset);
      const date = sunset.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
      assert.ok(marked[index]?.[1]?.includes(date), `${date} is not mentioned`);
    }
  });
});

describe('The built client', () => {
  it('imports nothing but its own files, and is small', async (t) => {
    const folder = await buildClient(t);
    const files = await readdir(folder);
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)/g)].map(([, name = '']) => name),
    );
    assert.ok(imported.length >= files.length - 1, 'the imports were found');
    assert.deepEqual(
      imported.filter((name) => !files.some((file) => name === `./${file}`)),
      [],
    );
    assert.doesNotMatch(texts.join(), /\bBuffer\b|\bprocess\.|\brequire\(/);
    // Not minified: what a bundler makes of it is smaller.
    const bytes = gzipSync(texts.join('\n'), { level: 9 }).length;
    t.diagnostic(`${bytes} bytes compressed, ${texts.join('\n').length} bytes plain`);
    assert.ok(bytes < 8 * 1024, `${bytes} bytes`);
  });
});

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
