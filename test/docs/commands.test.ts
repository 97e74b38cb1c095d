import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runCommand } from '../support/service/command.ts';
import { pages as allPages, read } from './support/pages.ts';

/** The changelog also names what is gone. */
const pages = allPages.filter((page) => page !== 'CHANGELOG.md');

const help = async (...argv: string[]) => (await runCommand([...argv, '--help'], {})).stdout;
const names = [...(await help()).matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2}/gm)].map(([, name = '']) => name);
const helpOf = new Map<string, string>();
for (const name of names) helpOf.set(name, await help(...name.split(' ')));

interface Call {
  readonly words: string;
  readonly flags: readonly string[];
}

/** The calls of the program that a page shows, in examples and in sentences. */
const callsIn = (page: string): Call[] =>
  [...read(page).matchAll(/\banimal-store(?:\.js)? ([a-z][^`#|\n]*)/g)]
    .map(([, call = '']) => call.split('&&')[0] ?? '')
    .map((call) => ({
      words: /^[a-z]+(?: [a-z]+)?\b/.exec(call)?.[0] ?? '',
      flags: call.match(/--[a-z][\w-]*/g) ?? [],
    }));

const commandOf = (words: string): string | undefined =>
  names.find((name) => name === words || name === words.split(' ')[0]);

describe('The commands in the documents', () => {
  it('are found', () => {
    assert.ok(names.length >= 15, names.join(', '));
    assert.ok(pages.flatMap(callsIn).length > 60);
  });

  for (const page of pages) {
    it(`${page}: each command exists and has the flags it is called with`, () => {
      const unknown = callsIn(page).flatMap(({ words, flags }) => {
        const name = commandOf(words);
        const isGroup = names.some((one) => one.startsWith(`${words.split(' ')[0]} `));
        if (name === undefined) return isGroup && !words.includes(' ') ? [] : [words];
        return flags
          .filter((flag) => !helpOf.get(name)?.includes(`${flag} `))
          .map((flag) => `${name} ${flag}`);
      });
      assert.deepEqual([...new Set(unknown)], []);
    });
  }

  it('README.md mentions every command', () => {
    const readme = read('README.md');
    assert.deepEqual(
      names.filter((name) => !readme.includes(`npx animal-store ${name}`)),
      [],
    );
  });
});
