import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { openapi } from '../../src/contract/openapi/document.ts';
import { operations } from '../../src/contract/operations/all.ts';

const source = JSON.stringify(openapi([{ url: 'http://127.0.0.1:8080/v1', description: 'This service' }]));
const broken = source.replace('schemas/Pets"', 'schemas/Cats"');

async function lintWithRedocly(text: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: text, config, absoluteRef: 'openapi.json' });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

/** With the rules of `spectral:oas`, as its command line has them. */
async function lintWithSpectral(text: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [rulesets.oas as RulesetDefinition] });
  const problems = await linter.run(text);
  return problems.map(({ code, path }) => `${code}: ${path.join(' ')}`);
}

describe('the OpenAPI document', () => {
  it('passes Redocly without errors or warnings', async () => {
    assert.deepEqual(await lintWithRedocly(source), []);
  });

  /**
   * In OpenAPI 3.1 the requirement of any security scheme may name roles. The rule of Spectral is that of 3.0, where only OAuth 2 and OpenID
   * Connect have scopes. docs/client.md tells those who lint the document.
   */
  it('has no warning of Spectral but one for the scope of each operation', async () => {
    const expected = Object.values(operations).flatMap(({ path, method, scope }) =>
      scope === 'any'
        ? []
        : `oas3-operation-security-defined: paths ${path} ${method.toLowerCase()} security 0 apiKey 0`,
    );
    assert.equal(expected.length, Object.keys(operations).length - 1);
    assert.deepEqual((await lintWithSpectral(source)).toSorted(), expected.toSorted());
  });

  for (const [name, lint] of Object.entries({ Redocly: lintWithRedocly, Spectral: lintWithSpectral })) {
    it(`fails ${name} with a broken reference`, async () => {
      assert.match((await lint(broken)).join('\n'), /^(?:no-unresolved-refs|invalid-ref): /m);
    });
  }
});
