import assert from 'node:assert/strict';
import { isAbsolute, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { parseDatabaseUrl, printable } from '../../src/store/database-url.ts';
import { StoreError } from '../../src/store/store.ts';

describe('parseDatabaseUrl', () => {
  it('returns a path unchanged, relative or absolute', () => {
    const paths = {
      'sqlite:pets.db': 'pets.db',
      'sqlite:data/animal-store.db': 'data/animal-store.db',
      'sqlite:../shop #1%20/a~b.db': '../shop #1%20/a~b.db',
      'sqlite:/tmp/x.db': '/tmp/x.db',
      'sqlite:///tmp/x.db': '/tmp/x.db',
      'sqlite:///~/x.db': '/~/x.db',
    };
    for (const [url, path] of Object.entries(paths)) {
      assert.deepEqual(parseDatabaseUrl(url), { kind: 'sqlite', path });
      assert.equal(printable(url), `sqlite:${resolve(path)}`);
    }
  });

  it('recognizes an in-memory database and PostgreSQL', () => {
    assert.deepEqual(parseDatabaseUrl('sqlite::memory:'), { kind: 'memory' });
    for (const url of ['postgres://u:p@a,b:5433/pets?sslmode=require', 'postgresql://host/pets'])
      assert.deepEqual(parseDatabaseUrl(url), { kind: 'postgres', url });
  });

  it('rejects every other spelling', () => {
    const paths = ['', '//', '///', '//host/x.db', '////x.db', '~', '~/x.db', '~me/x.db', 'x.db?mode=ro'];
    const other = [
      '',
      'x.db',
      '/x.db',
      'SQLITE:x.db',
      ' sqlite:x.db',
      'mysql://h/x',
      'postgres:x',
      'postgres://',
    ];
    const special = [':memory', ':memory:x', ':', 'file:x.db', 'x/', '/'];
    for (const url of [...[...paths, ...special].map((path) => `sqlite:${path}`), ...other])
      assert.throws(() => parseDatabaseUrl(url), StoreError, url);
  });

  it('never includes a secret in an error', () => {
    for (const url of ['mysql://u:hidden@h/x', 'u:hidden@h/x', 'postgres:/u:hidden@h/x', '://hidden'])
      assert.throws(
        () => parseDatabaseUrl(url),
        (error: Error) => !error.message.includes('hidden'),
        url,
      );
  });
});

describe('printable', () => {
  it('shows PostgreSQL without user, password and parameters, and a file by its absolute path', () => {
    assert.equal(printable('postgres://u:p@a,b:5433/pets?sslmode=require'), 'postgres://a,b:5433/pets');
    assert.equal(printable('postgresql://db.example:5433/pets'), 'postgresql://db.example:5433/pets');
    assert.equal(printable('postgres://h1:1,[::1]:2/shop?ssl=on'), 'postgres://h1:1,[::1]:2/shop');
    assert.equal(printable('postgres://u:p/w/pets'), 'postgres://u', 'perhaps a password without its @');
    assert.equal(printable('postgres:///pets?password=p'), 'postgres://…');
    assert.equal(printable('sqlite::memory:'), 'sqlite::memory:');
    assert.ok(isAbsolute(printable('sqlite:x.db').slice('sqlite:'.length)));
  });
});
