import { useComputed } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import type { Animal } from '../data/cache.ts';
import { shownStatus } from '../data/cache.ts';
import { type Status, statusWord } from '../data/text.ts';
import { shop } from '../session.ts';
import { shapeOf } from './words.ts';

/** A state: a shape and a word. */
export const State = ({
  status,
  children = statusWord(status),
}: {
  readonly status: Status;
  readonly children?: ComponentChildren;
}): JSX.Element => <span class={`state ${shapeOf(status)}`}>{children}</span>;

interface RunningOrProps {
  readonly id: bigint;
  readonly children: JSX.Element;
}

/** What is being done with an animal, or the children while nothing is. */
export function RunningOr({ id, children }: RunningOrProps): JSX.Element {
  // Through a computed signal, so that an action draws its own row again and no other.
  const running = useComputed(() => shop().running.at(`animal-${id}`)).value;
  return running === undefined ? children : <span class="state running">{running}</span>;
}

/** What an animal is, or what is being done with it. */
export const AnimalState = ({ animal }: { readonly animal: Animal }): JSX.Element => (
  <RunningOr id={animal.id}>
    <State status={shownStatus(animal)} />
  </RunningOr>
);

const SHAPES = 6n;
const HUES = ['clay', 'sky', 'moss', 'plum', 'rose', 'stone'] as const;

/** The remainder that is never negative. */
const mod = (value: bigint, by: bigint): bigint => ((value % by) + by) % by;

/**
 * The collar tag of a category: its shape and hue come from the id, so that neighbours differ and renaming changes nothing. One without a
 * name is round, stone-coloured, with a dash.
 */
export function Tag({ categoryId }: { readonly categoryId: bigint | undefined }): JSX.Element {
  const { categories } = shop();
  const name = categoryId === undefined ? undefined : categories.nameOf(categoryId);
  // Until the names are known, a tag has the shape that it has with a name.
  const isUnnamed = name === undefined && categories.isLoaded.value;
  const look = categoryId === undefined || isUnnamed ? 's1 stone' : lookOf(categoryId);
  return (
    <span class={`tag ${look}`} aria-hidden="true">
      {name ? [...name].slice(0, 2).join('') : isUnnamed ? '–' : ''}
    </span>
  );
}

function lookOf(categoryId: bigint): string {
  const n = categoryId - 1n;
  const shape = mod(n, SHAPES);
  return `s${shape + 1n} ${HUES[Number(mod(n + (n - shape) / SHAPES, SHAPES))]}`;
}

/** The name of a category, or its number if it has no name. */
export function CategoryName({ categoryId }: { readonly categoryId: bigint }): JSX.Element {
  const { categories } = shop();
  const name = categories.nameOf(categoryId);
  if (name !== undefined) return <bdi>{name}</bdi>;
  return <span class="quiet">{categories.isLoaded.value ? `category ${categoryId}` : ''}</span>;
}
