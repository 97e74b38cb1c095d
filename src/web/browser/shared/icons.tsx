import type { JSX } from 'preact';

/** The line that an icon is drawn with, on a grid of 16 pixels. */
const drawings = {
  paw: 'M4 5.4a1.4 1.8 0 1 1 0 3.6 1.4 1.8 0 0 1 0-3.6zM6.4 2a1.4 1.8 0 1 1 0 3.6 1.4 1.8 0 0 1 0-3.6zM9.6 2a1.4 1.8 0 1 1 0 3.6 1.4 1.8 0 0 1 0-3.6zM12 5.4a1.4 1.8 0 1 1 0 3.6 1.4 1.8 0 0 1 0-3.6zM8 8.2c1.8 0 3.4 1.9 3.4 3.4 0 1-.8 1.6-1.7 1.6-.7 0-1-.3-1.7-.3s-1 .3-1.7.3c-.9 0-1.7-.6-1.7-1.6 0-1.5 1.6-3.4 3.4-3.4z',
  orders: 'M3 1.8h10v12.4l-2-1.3-1.5 1.3L8 12.9l-1.5 1.3L5 12.9l-2 1.3zM5.8 5.5h4.4M5.8 8.5h4.4',
  clock: 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM8 4.5V8l2.4 1.6',
  more: 'M2 4h12M2 8h12M2 12h12',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5 14 14',
  plus: 'M8 3v10M3 8h10',
  close: 'm4 4 8 8m0-8-8 8',
  down: 'm4 6 4 4 4-4',
  pencil: 'm3 13 .6-2.8L10.7 3.1a1.3 1.3 0 0 1 1.8 0l.4.4a1.3 1.3 0 0 1 0 1.8L5.8 12.4z',
} as const;

export type IconName = keyof typeof drawings;

/** Decoration: what it means is always written beside it. */
export const icon = (name: IconName): JSX.Element => (
  <svg class="icon" viewBox="0 0 16 16" width={16} height={16} aria-hidden="true">
    <path d={drawings[name]} />
  </svg>
);

/** A collar tag with a paw. Its brass ring goes through the hole: the whole ring is behind the tag, its left half in front as well. */
export function logo(): JSX.Element {
  return (
    <svg class="logo" viewBox="0 0 28 32" width={28} height={32} aria-hidden="true">
      <circle cx={14} cy={6.2} r={4.4} fill="none" stroke="var(--brass)" stroke-width={1.8} />
      <path
        d="M14 6.5a12.5 12.5 0 1 0 0 25 12.5 12.5 0 0 0 0-25zm0 1.9a2.3 2.3 0 1 1 0 4.6 2.3 2.3 0 0 1 0-4.6z"
        fill="#0f766e"
        fill-rule="evenodd"
      />
      <path
        d="M14 10.6a4.4 4.4 0 0 1 0-8.8"
        fill="none"
        stroke="var(--brass)"
        stroke-width={1.8}
        stroke-linecap="round"
      />
      <g fill="#fff">
        <ellipse cx={8.9} cy={19.4} rx={1.7} ry={2.2} transform="rotate(-24 8.9 19.4)" />
        <ellipse cx={12} cy={16.6} rx={1.7} ry={2.1} transform="rotate(-7 12 16.6)" />
        <ellipse cx={16} cy={16.6} rx={1.7} ry={2.1} transform="rotate(7 16 16.6)" />
        <ellipse cx={19.1} cy={19.4} rx={1.7} ry={2.2} transform="rotate(24 19.1 19.4)" />
        <path d="M14 20c2.2 0 4.3 2.3 4.3 4.2 0 1.4-1 2-2.2 2-.8 0-1.3-.4-2.1-.4s-1.3.4-2.1.4c-1.2 0-2.2-.6-2.2-2 0-1.9 2.1-4.2 4.3-4.2z" />
      </g>
    </svg>
  );
}
