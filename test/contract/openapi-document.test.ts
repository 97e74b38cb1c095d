import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { responseHeaders } from '../../src/contract/headers.ts';
import { openapi } from '../../src/contract/openapi/document.ts';
import { withParts } from '../support/openapi.ts';

const served = openapi([{ url: 'http://127.0.0.1:8080/v1', description: 'This service' }]);
const SPECIFIED = ['PetStatus', 'NewPet', 'Pet', 'Pets', 'Error'];

describe('the OpenAPI document', () => {
  const document = withParts(served);

  /** The value at a path of property names; undefined if there is none. */
  function at(...path: (string | number)[]): unknown {
    return path.reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | undefined)?.[name],
      document,
    );
  }
  const get = ['paths', '/pets', 'get'];
  const post = ['paths', '/pets', 'post'];
  const getOne = ['paths', '/pets/{petId}', 'get'];
  const schema = (...path: string[]) => at('components', 'schemas', ...path);

  it('has no example for a request header, which importers such as Postman would send with every request', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const parameters = operations.flatMap(
      (one) => (one as { parameters: Record<string, unknown>[] }).parameters,
    );
    const headers = parameters.filter((parameter) => parameter.in === 'header');
    assert.ok(headers.length > 0);
    assert.deepEqual(
      headers.filter((header) => 'example' in header || 'default' in (header.schema as object)),
      [],
    );
  });

  it('has what several operations share once', () => {
    const text = JSON.stringify(served);
    const { parameters, responses } = document.components;
    assert.ok('limit' in parameters && 'PetNotFound' in responses);
    for (const [name, part] of Object.entries({ ...parameters, ...responses }))
      assert.equal(text.split(JSON.stringify(part)).length, 2, name);
  });

  it('has patterns that mean the same to every validator', () => {
    const patterns = JSON.stringify(document).match(/"pattern":"[^"]*"/g) ?? [];
    assert.deepEqual([...new Set(patterns)], ['"pattern":"\\\\S"']);
    for (const pattern of [/\S/, /\S/u, /\S/v]) {
      for (const name of ['Rex', ' a ', '🐶']) assert.match(name, pattern);
      for (const name of ['', ' ', '\t\u00a0\u2003']) assert.doesNotMatch(name, pattern);
    }
  });

  it('has the schemas of the specification', () => {
    assert.match(document.openapi, /^3\.1\./);
    assert.equal(document.info.version, '1.0.0');
    assert.deepEqual(schema('PetStatus', 'enum'), ['available', 'pending', 'sold']);
    assert.deepEqual(schema('NewPet', 'required'), ['name', 'categoryId']);
    assert.deepEqual(schema('Pet', 'required'), ['id', 'name', 'categoryId']);
    assert.deepEqual(Object.keys(schema('Pet', 'properties') as object), [
      'id',
      'name',
      'categoryId',
      'status',
    ]);
    assert.deepEqual(schema('Pets', 'items'), { $ref: '#/components/schemas/Pet' });
    assert.deepEqual(schema('Error', 'required'), ['code', 'message', 'status']);
    for (const field of ['id', 'categoryId']) {
      assert.equal(schema('Pet', 'properties', field, 'type'), 'integer');
      assert.equal(schema('Pet', 'properties', field, 'format'), 'int64');
    }
  });

  it('has the operations of the specification, each protected by a bearer key', () => {
    const operations = { listPets: get, createPet: post, getPet: getOne };
    for (const [id, path] of Object.entries(operations)) {
      const scope = id === 'createPet' ? 'pets:write' : 'pets:read';
      assert.equal(at(...path, 'operationId'), id);
      assert.deepEqual(at(...path, 'security'), [{ apiKey: [scope] }]);
      assert.ok(String(at(...path, 'description')).endsWith(`The API key needs the scope \`${scope}\`.`));
      assert.deepEqual(at(...path, 'tags'), ['pets']);
    }
    assert.equal(at('components', 'securitySchemes', 'apiKey', 'scheme'), 'bearer');
    assert.deepEqual(at('security'), [{ apiKey: [] }], 'viewers look for it here');
    assert.deepEqual(at(...getOne, 'deprecated'), true);
    assert.deepEqual(at(...getOne, 'x-deprecated-sunset'), '2030-12-05');
    assert.deepEqual(at(...get, 'parameters', 0, 'schema'), {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
    });
    assert.deepEqual(
      document.tags.map(({ name }) => name),
      ['pets', 'categories', 'store', 'events', 'keys'],
    );
  });

  it('marks what goes beyond the specification, and only that', () => {
    type Marked = Readonly<Record<string, { readonly 'x-stability'?: string }>>;
    const unmarked = (parts: object) =>
      Object.keys(parts).filter((name) => (parts as Marked)[name]?.['x-stability'] !== 'experimental');
    assert.deepEqual(unmarked(document.components.schemas), SPECIFIED);
    assert.deepEqual(unmarked(document.components.headers), []);
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      unmarked(methods).map((method) => `${method} ${path}`),
    );
    assert.deepEqual(operations, ['get /pets', 'post /pets', 'get /pets/{petId}']);
    const marks = (path: string[], part: string) =>
      Object.values(at(...path, part) as object).map((one) => [one.name, one['x-stability']]);
    assert.deepEqual(Object.fromEntries([...marks(get, 'parameters'), ...marks(post, 'parameters')]), {
      limit: undefined,
      status: undefined,
      cursor: 'experimental',
      id: 'experimental',
      name: 'experimental',
      categoryId: 'experimental',
      removed: 'experimental',
      'X-Request-Id': 'experimental',
      'Idempotency-Key': 'experimental',
    });
    const responses = (path: string[]) => unmarked(at(...path, 'responses') as object);
    assert.deepEqual(
      [responses(get), responses(post)],
      [
        ['200', '401'],
        ['201', '400', '401'],
      ],
    );
  });

  it('passes Redocly without errors or warnings', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const source = JSON.stringify(served);
    const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' });
    assert.deepEqual(
      problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
      [],
    );
  });
});

/** The resolved references of a Link header, by relation. */
function resolved(link: string, base: string): Record<string, string> {
  const links = [...link.matchAll(/<([^<>]*)>; rel="([\w-]+)"/g)];
  return Object.fromEntries(links.map(([, reference = '', rel]) => [rel, new URL(reference, base).href]));
}

describe('The examples of Link and Location headers', () => {
  for (const prefix of ['http://127.0.0.1:8080', 'https://pets.test/shop', 'https://pets.test/a/b']) {
    it(`resolve below ${prefix}`, () => {
      const { next = '' } = resolved(responseHeaders.Link.example, `${prefix}/v1/pets?limit=20`);
      assert.ok(next.startsWith(`${prefix}/v1/pets?limit=20&cursor=`), next);
      assert.deepEqual(resolved(responseHeaders.DeprecationLink.example, `${prefix}/v1/pets/7`), {
        'successor-version': `${prefix}/v1/pets`,
        deprecation: `${prefix}/openapi.json`,
      });
      const { href } = new URL(responseHeaders.Location.example, `${prefix}/v1/store/orders`);
      assert.equal(href, `${prefix}/v1/store/orders/1`);
    });
  }
});
