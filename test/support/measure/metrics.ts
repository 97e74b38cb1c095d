import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { TestContext } from 'node:test';
import { hasTools } from '../service/tools.ts';

/** The values of a text in the format of Prometheus, by name and labels as they are written. */
export function samplesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

/** The sum of the values of a metric whose labels include all of these. */
export function sum(text: string, name: string, ...labels: readonly string[]): number {
  return [...samplesOf(text)]
    .filter(([id]) => id.split('{')[0] === name && labels.every((label) => id.includes(label)))
    .reduce((total, [, value]) => total + value, 0);
}

/** Fails unless promtool finds nothing wrong with its input or its file. Does nothing where it is missing. */
export function promtool(t: TestContext, args: readonly string[], input?: string): void {
  if (!hasTools(t, 'promtool')) return;
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
}
