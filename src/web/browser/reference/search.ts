import { computed, signal } from '@preact/signals';

/** What the reader searches this page for. */
export const wanted = signal('');
export const words = computed(() => wanted.value.toLowerCase().split(/\s+/).filter(Boolean));

/** Whether everything that is searched for occurs in the thing: its names, texts, parameters and codes. */
export const matches = (...things: unknown[]): boolean => {
  const text = JSON.stringify(things).toLowerCase();
  return words.value.every((word) => text.includes(word));
};
