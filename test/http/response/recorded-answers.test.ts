import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import { comparable } from '../../support/comparable.ts';
import { observe, prepare } from '../../support/observe.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { anyRequest } from '../../support/wire/any-request.ts';
import { oddRequests } from '../../support/wire/odd-requests.ts';

/**
 * One line for each request, in this order, because each depends on the state that the earlier ones created. After an
 * intended change, record again and review the diff: `node --test --test-update-snapshots test/http/response/recorded-answers.test.ts`.
 */
const FILE = join(import.meta.dirname, '../../fixtures/answers.jsonl');

const requests = [...oddRequests, ...fc.sample(anyRequest, { seed: 20261115, numRuns: 300 })];

/** Long repetitions, which are common in odd requests, are written as `«unit*count»`. */
const REPEATED = /(\[\[|.)\1{39,}/gsu;
const shorten = (_key: string, value: unknown) =>
  typeof value === 'string'
    ? value.replace(REPEATED, (run, unit: string) => `«${unit}*${run.length / unit.length}»`)
    : value;

// Without the pages, whose names change with their text.
const service = await startServiceForFile({ config: { pages: false } });

it('odd and generated requests are answered and logged as recorded', { timeout: 120_000 }, async (t) => {
  await prepare(service);
  const lines: string[] = [];
  for (const request of requests)
    lines.push(JSON.stringify({ request, ...comparable(await observe(service, request), request) }, shorten));
  try {
    t.assert.fileSnapshot(`${lines.join('\n')}\n`, FILE, { serializers: [String] });
  } catch (error) {
    // The first difference says more than the beginning of two long texts.
    const recorded = (await readFile(FILE, 'utf8')).trimEnd().split('\n');
    const parsed = (line = 'null') => JSON.parse(line) as unknown;
    for (const [n, line] of lines.entries()) assert.deepEqual(parsed(line), parsed(recorded[n]));
    throw error;
  }
});
