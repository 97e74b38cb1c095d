import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { foldText, isPartText, searchWords } from '../../src/contract/folded-text.ts';
import { isPrefixText, isSearchText, keyRange, nameKey } from '../../src/contract/name-key.ts';

/** 18 letters in its folded form. */
const LONGEST = '\ufdfa';

describe('The key of a name', () => {
  it('is the same for every case and compatible spelling, and another one for another name', () => {
    const spellings = ['Fish', 'fISH', 'ﬁsh', 'ＦＩＳＨ'];
    for (const name of spellings) assert.equal(nameKey(name), 'FISH', name);
    assert.equal(nameKey('Straße'), nameKey('STRASSE'));
    assert.notEqual(nameKey('Björn'), nameKey('Bjorn'));
  });

  it('has 600 code points at most, the first ones', () => {
    const name = (length: number) => `A${'🐶'.repeat(length - 1)}`;
    assert.equal(nameKey(name(600)), name(600));
    assert.equal(nameKey(name(601)), name(600));
  });

  it('is in the range of a text exactly if it begins with the folded text', () => {
    const unit = fc.constantFrom(...'aBßﬁ\ud7ff\ue000\uffff\u{10000}\u{10fffe}\u{10ffff}');
    const text = fc.string({ unit, minLength: 1, maxLength: 4 });
    const isBefore = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
    fc.assert(
      fc.property(text, fc.oneof(text, fc.constant('')), text, (prefix, rest, other) => {
        const { from, to } = keyRange(prefix);
        for (const key of [nameKey(prefix + rest), nameKey(other)])
          assert.equal(!isBefore(key, from) && isBefore(key, to), key.startsWith(nameKey(prefix)), key);
      }),
      { numRuns: 1000 },
    );
    assert.ok(isBefore('\u{10ffff}'.repeat(600), keyRange('\u{10ffff}').to), 'the greatest key');
    assert.equal(keyRange('\ud7ff').to, '\ue000', 'the next one that is not a surrogate');
  });
});

describe('A text that is searched for', () => {
  it('has 1 to 200 code points, without NUL and lone surrogates', () => {
    for (const text of ['a', 'é', '🐶'.repeat(200)])
      assert.deepEqual([isSearchText(text), isPrefixText(text), isPartText(text)], [true, true, true]);
    for (const text of ['', 'a\0', '\ud800', '🐶'.repeat(201), 'a'.repeat(201)])
      assert.deepEqual([isSearchText(text), isPrefixText(text), isPartText(text)], [false, false, false]);
  });

  it('is no beginning of a name if it is longer than a key, and no part of one if it has no words', () => {
    assert.equal(isPrefixText(`${LONGEST.repeat(33)}abcdef`), true);
    assert.equal(isPrefixText(`${LONGEST.repeat(33)}abcdefg`), false);
    for (const text of ['\u0301', ' \t\u3000', '\u00a8']) assert.equal(isPartText(text), false);
    assert.equal(isPrefixText('\u0301'), true);
  });
});

describe('The text in which parts are found', () => {
  it('has 3,000 code points at most, the first ones: enough for every name of syllables', () => {
    const syllables = foldText('한'.repeat(1000));
    assert.equal(syllables.length, 3000);
    assert.equal(foldText(`${'한'.repeat(1000)}A`), syllables);
    assert.equal(foldText(LONGEST.repeat(1000)), foldText(LONGEST.repeat(170)).slice(0, 3000));
    assert.equal(foldText('🐶'.repeat(3000)), '🐶'.repeat(3000));
  });
});

describe('The words that are searched for', () => {
  it('are separated by any white space of the folded text, each once', () => {
    assert.deepEqual(searchWords(' Max\u3000bétta\tMAX '), ['MAX', 'BETTA']);
    assert.deepEqual(searchWords('a\u00a8b'), ['A', 'B']);
  });

  it('are fewer than the rows that a step of a search looks at', () => {
    const letters = Array.from({ length: 100 }, (_, i) => String.fromCodePoint(0x4e00 + i));
    assert.equal(searchWords(letters.join(' ')).length, 100);
    assert.ok(searchWords(letters.join(LONGEST)).length < 200);
  });
});

describe('The folded form of a text', () => {
  it('is without case, compatible spelling, accents and strokes', () => {
    for (const [text, folded] of Object.entries({
      Rex: 'REX',
      'Björn ÅÉÎ': 'BJORN AEI',
      'bj\u00f8rn Łódź': 'BJORN LODZ',
      'ﬁsh Ａ Straße': 'FISH A STRASSE',
      Σίσυφος: 'ΣΙΣΥΦΟΣ',
      'İstanbul ıslak': 'ISTANBUL ISLAK',
      'Æsir œuf þor': 'AESIR OEUF THOR',
      'Đuro Ðora Ħal Ŧor': 'DURO DORA HAL TOR',
    }))
      assert.equal(foldText(text), folded);
  });
});
