import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { assertError } from '../../support/assert.ts';
import { startService, temporaryFolder } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { wireOf, withCategory, withName, withStatus } from '../../support/wire/wire.ts';

const service = await startServiceForFile();
const create = (raw: string | Uint8Array) => service.call('POST', '/v1/pets', { raw });
const REX = '"name":"Rex","categoryId":7,"status":"available"';

async function assertRefused(raw: string | Uint8Array, named: RegExp): Promise<void> {
  assert.match(assertError(await create(raw), 400, 'invalid_request'), named, String(raw));
}

describe('POST /v1/pets', () => {
  it('assigns ids that are exact beyond 2^53 and never reused', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const fresh = await startService(t, { database: `sqlite:${file}` });
    const nextId = async () => (await wireOf(fresh, withCategory('7'))).id;
    assert.equal(await nextId(), '1');
    const db = new DatabaseSync(file, { timeout: 10_000 });
    db.exec("UPDATE sqlite_sequence SET seq = 9007199254740992 WHERE name = 'pets'");
    assert.equal(await nextId(), '9007199254740993');
    db.exec('DELETE FROM pets WHERE id > 1');
    db.close();
    assert.equal(await nextId(), '9007199254740994');
  });

  const spellings = {
    '9223372036854775807': '9223372036854775807',
    '-9223372036854775808': '-9223372036854775808',
    '9007199254740993': '9007199254740993',
    '-0': '0',
    '1.0': '1',
    '1E+2': '100',
    '100e-2': '1',
    '0.0e400': '0',
    '-9.223372036854775808e18': '-9223372036854775808',
  };
  const names = [
    ...['🐕'.repeat(1000), 'x', ' \t\u00a0Rex\r\n ', '"\\/\b\u0001\u001f\u007f\u2028\u2029\ufeff'],
    ...['Zoe\u0301 Zo\u00e9', '👩‍👩‍👧 كلب \u202e', "'); DROP TABLE pets;-- 1e400 9007199254740993"],
  ];
  it('returns each categoryId exactly, and each name as it was sent', async () => {
    for (const [sent, returned] of Object.entries(spellings)) {
      const { rest } = await wireOf(service, withCategory(sent));
      assert.equal(rest, `"name":"Rex","categoryId":${returned},"status":"available"`);
    }
    for (const name of names) {
      const { rest } = await wireOf(service, withName(JSON.stringify(name)));
      assert.equal(rest, `"name":${JSON.stringify(name)},"categoryId":7,"status":"available"`);
    }
  });

  it('uses the last value of a field that is given twice', async () => {
    const { rest } = await wireOf(service, '{"name":5,"categoryId":1,"name":"Rex","categoryId":7}');
    assert.equal(rest, REX);
    await assertRefused('{"name":"Rex","categoryId":7,"name":5}', /^name /);
  });
});

describe('fields that NewPet does not define', () => {
  it('are ignored and never returned', async () => {
    for (const fields of [
      '"id":99999',
      '"id":"x"',
      '"__proto__":{"status":"sold"},"constructor":{"prototype":{"status":"sold"}}',
      '"photoUrls":[],"tags":[{"id":1.5}],"big":1e400,"":null',
    ]) {
      const { id, rest } = await wireOf(service, `{${fields},"name":"Rex","categoryId":7}`);
      assert.equal(rest, REX, fields);
      assert.notEqual(id, '99999');
    }
  });

  it('do not replace a required field by inheritance', () =>
    assertRefused('{"__proto__":{"name":"Rex","categoryId":7}}', /name .*categoryId /));

  const nested = (levels: number, inside: string) =>
    `{"name":"Rex","categoryId":7,"x":${'['.repeat(levels)}${inside}${']'.repeat(levels)}}`;

  it('may be nested as deeply as 64 KiB allow, and never cause a 500', async () => {
    assert.equal((await wireOf(service, nested(32_000, ''))).rest, REX);
    // The digits require the exact parser, which has a depth limit.
    await assertRefused(nested(32_000, '1234567890123456'), /nested/);
    for (const inside of ['', '1234567890123456,']) {
      await assertRefused(nested(60_000, inside).slice(0, 60_100), /JSON/);
      assertError(await create(nested(60_000, inside)), 413, 'payload_too_large');
    }
  });
});

describe('a refused body', () => {
  const badCategories = [
    ...['"5"', 'true', 'null', '[]', '[5]', '{}', '1.5', '9007199254740993.5', '9223372036854775808'],
    ...['-9223372036854775809', '1e19', '1e400', '-1e400', '1e-400'],
  ].map(withCategory);
  const badNames = [
    ...['""', '" \\t\\r\\n\\u00a0\\u2003\\u3000"', '"a\\u0000b"', '"a\\ud800b"', '"\\udc00"'],
    ...['x', '🐕'].map((character) => JSON.stringify(character.repeat(1001))),
    ...['5', 'true', 'null', '["Rex"]', '{"first":"Rex"}'],
  ].map(withName);
  const badStatus = ['null', '""', '"lost"', '"Sold"', '" sold"', '5', 'true', '["sold"]'].map(withStatus);
  const notObject = ['[]', `[${withCategory('7')}]`, '"Rex"', '5', 'null', 'true'];
  const notJson = [
    ...['{', '  ', 'Rex', '{"name":"Rex","categoryId":7,}', "{'name':'Rex','categoryId':7}"],
    ...['NaN', 'Infinity', '07', '+7', '0x7', '.7', '7.'].map(withCategory),
    `${withCategory('7')} x`,
    withName('"a\nb"'),
  ];
  const notUtf8 = [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82]].map((bytes) =>
    Buffer.concat([Buffer.from('{"name":"a'), Buffer.from(bytes), Buffer.from('","categoryId":7}')]),
  );

  it('gets an error that names the missing or invalid field', async () => {
    await assertRefused('{"categoryId":7}', /^name is required/);
    await assertRefused('{"name":"Rex"}', /^categoryId is required/);
    for (const body of badStatus) await assertRefused(body, /^status /);
    for (const body of badNames) await assertRefused(body, /^name /);
    for (const body of badCategories) await assertRefused(body, /^categoryId /);
  });

  it('gets an error that says whether it is not an object, not JSON, not UTF-8 or missing', async () => {
    for (const body of notObject) await assertRefused(body, /object/);
    for (const body of notJson) await assertRefused(body, /JSON/);
    for (const body of notUtf8) await assertRefused(body, /UTF-8/);
    await assertRefused('', /missing/);
    assert.match(assertError(await service.call('POST', '/v1/pets'), 400, 'invalid_request'), /missing/);
  });

  it('adds no animal', async () => {
    const newest = async () => (await service.call('GET', '/v1/pets?limit=1')).text;
    const before = await newest();
    for (const body of [...badStatus, ...notObject, ...notJson, ...notUtf8, '{}', '']) await create(body);
    assert.equal(await newest(), before);
  });
});

describe('POST /v1/pets/batch', () => {
  it('names every problem with its position, and adds none', async () => {
    const before = (await service.call('GET', '/v1/store/inventory')).text;
    const pets = [{ name: 'A', categoryId: 1 }, {}, { name: '', categoryId: 1 }, 7];
    const refused = await service.call('POST', '/v1/pets/batch', { body: { pets } });
    assertError(refused, 400, 'invalid_request');
    const { message } = refused.json as { message: string };
    assert.match(
      message,
      /pets\[1\]\.name is required; pets\[1\]\.categoryId is required; pets\[2\]\.name must/,
    );
    assert.match(message, /pets\[3\] /);
    for (const count of [0, 101]) {
      const list = Array.from({ length: count }, () => ({ name: 'A', categoryId: 1 }));
      const wrong = await service.call('POST', '/v1/pets/batch', { body: { pets: list } });
      assertError(wrong, 400, 'invalid_request');
      assert.match(wrong.text, /pets must have 1 to 100 animals/);
    }
    for (const pets of [5, 'Rex', {}, null]) {
      const { text } = await service.call('POST', '/v1/pets/batch', { body: { pets } });
      assert.match(text, /"pets must be a list of animals\."/);
    }
    for (const item of [null, 'Rex', 7]) {
      const { text } = await service.call('POST', '/v1/pets/batch', { body: { pets: [item] } });
      assert.match(text, /"pets\[0\] must be a JSON object\."/);
    }
    assert.equal((await service.call('GET', '/v1/store/inventory')).text, before);
  });
});
