import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { openapi } from '../../src/contract/openapi/document.ts';

const source = JSON.stringify(openapi([{ url: 'http://127.0.0.1:8080/v1', description: 'This service' }]));

async function lint(text: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: text, config, absoluteRef: 'openapi.json' });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

describe('the OpenAPI document', () => {
  it('passes Redocly without errors or warnings', async () => {
    assert.deepEqual(await lint(source), []);
  });

  it('fails Redocly with a broken reference', async () => {
    assert.match(
      (await lint(source.replace('schemas/Pets"', 'schemas/Cats"'))).join('\n'),
      /^no-unresolved-refs: /m,
    );
  });
});
