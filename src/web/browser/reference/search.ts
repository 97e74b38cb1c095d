import { signal } from '@preact/signals';
import type { Place } from './places.ts';

/** What the reader searches this page for. */
export const wanted = signal('');

const MOST = 12;
/** How much text is shown before the word. What is too long after it is cut by the width of the box. */
const BEFORE = 24;

export interface Found extends Place {
  /** The sentence with the first word. Empty if only the title contains it. */
  readonly excerpt: string;
}

/** Titles first: what is looked for by name comes before what mentions it. */
export function search(places: readonly Place[], query: string): { total: number; found: Found[] } {
  const words = wordsOf(query);
  if (words.length === 0) return { total: 0, found: [] };
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const mentions = (text: string) => words.some((word) => text.toLowerCase().includes(word));
  const all = places
    .filter(({ title, text, own }) => holds(`${title} ${text}`) && mentions(`${own ?? title} ${text}`))
    .toSorted((a, b) => Number(holds(b.title)) - Number(holds(a.title)));
  const found = all.slice(0, MOST).map((place) => ({ ...place, excerpt: excerptOf(place.text, words) }));
  return { total: all.length, found };
}

export const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

/** The sentence around the first word that occurs, or the first sentence. A long one begins at a word before it. */
function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = Math.max(0, ...words.map((word) => lower.indexOf(word)).slice(0, 1));
  const sentence = text.lastIndexOf('. ', at) + 1;
  const start = at - sentence > BEFORE ? text.indexOf(' ', at - BEFORE) : sentence;
  const isCut = start > sentence && start <= at;
  return `${isCut ? '…' : ''}${text.slice(Math.min(start, at)).trimStart()}`;
}
