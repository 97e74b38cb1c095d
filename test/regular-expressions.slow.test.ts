import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { ts } from '@ts-morph/common';
import { installTools } from './package/support/commands.ts';

const SRC = new URL('../src/', import.meta.url);
/** The pages run in the browser of the person who types, and are built by their author. */
const IN_THE_BROWSER = 'web/';
interface Recheck {
  check(
    source: string,
    flags: string,
    limits: object,
  ): Promise<{ readonly status: string; readonly attack?: { readonly pattern: string } }>;
}
/** What an expression reads decides, not the time it takes: on a busy machine a harmless one reached the limits of time. */
const LIMITS = { timeout: 300_000, attackTimeout: null, incubationTimeout: null };

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.startsWith(IN_THE_BROWSER),
);

function* expressionsIn(source: ts.Node): Generator<string> {
  if (source.kind === ts.SyntaxKind.RegularExpressionLiteral) yield source.getText();
  for (const child of source.getChildren()) yield* expressionsIn(child);
}

const expressions = files.flatMap((file) => {
  const text = readFileSync(new URL(file, SRC), 'utf8');
  return [...expressionsIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))].map(
    (expression) => [file, expression] as const,
  );
});

it('A regular expression takes time proportional to its input', async (t) => {
  const folder = await installTools(t, 'recheck@4.5.0');
  const { check }: Recheck = await import(join(folder, 'node_modules/recheck/index.js'));
  for (const [file, expression] of expressions) {
    await t.test(`${expression} in ${file}`, async () => {
      const end = expression.lastIndexOf('/');
      const { status, attack } = await check(expression.slice(1, end), expression.slice(end + 1), LIMITS);
      assert.equal(status, 'safe', attack?.pattern ?? '');
    });
  }
});
