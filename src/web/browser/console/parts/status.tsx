import type { JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import { type Status, statusWord } from './wording.ts';

/** Orders and animals in the same state look the same. */
const shapes = {
  available: 'available',
  pending: 'reserved',
  placed: 'reserved',
  sold: 'sold',
  removed: 'removed',
  completed: 'sold',
  cancelled: 'cancelled',
  returned: 'returned',
} as const;

export const shapeOf = (status: Status) => shapes[status];

/** A status in words, with its own shape. */
export const statusMark = (status: Status): JSX.Element => (
  <span class={`status ${shapes[status]}`}>
    {icon(shapes[status])}
    {statusWord(status)}
  </span>
);
