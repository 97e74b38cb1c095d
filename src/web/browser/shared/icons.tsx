import type { JSX } from 'preact';

/**
 * What an icon is made of, on a grid of 16 pixels: filled first, then drawn with a line, then cut out of what is filled. A line is 1.5
 * wide unless `width` says otherwise: small icons need more.
 */
interface Drawing {
  readonly fill?: string;
  readonly line?: string;
  readonly cut?: string;
  readonly width?: number;
  readonly dashes?: string;
}

const DISC = 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2z';
const CIRCLE = 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8z';
const DIAMOND = 'M8 1.5 14.5 8 8 14.5 1.5 8z';
const TRIANGLE: Drawing = { line: 'M8 2 15 14H1zM8 6.6v3M8 11.8v.1', width: 1.8 };

/** Each status and each kind of event has its own shape, so that colour is never needed to tell them apart. */
const drawings = {
  available: { fill: DISC },
  reserved: { line: DISC, width: 2.2, fill: 'M8 2a6 6 0 0 1 0 12z' },
  sold: {
    fill: 'M4.5 1.5h7a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3h-7a3 3 0 0 1-3-3v-7a3 3 0 0 1 3-3z',
    cut: 'm5 8.2 2.1 2.1L11.2 6',
  },
  returned: { line: 'M6 2.5 2.5 6 6 9.5M3 6h6.5a4 4 0 0 1 0 8H6', width: 2 },
  cancelled: { line: `${CIRCLE}M5.8 5.8l4.4 4.4m0-4.4-4.4 4.4`, width: 2 },
  removed: { line: CIRCLE, width: 2, dashes: '2.6 2.3' },
  added: { line: 'M8 2v12M2 8h12', width: 2.4 },
  edited: { line: DIAMOND, width: 2 },
  failed: TRIANGLE,
  warning: TRIANGLE,
  offline: {
    line: 'm2 2 12 12M8 12.5v.1M5.4 9.6a3.8 3.8 0 0 1 3-1M2.8 6.8a7.4 7.4 0 0 1 2.6-1.6M8.5 4.6a7.4 7.4 0 0 1 4.7 2.2',
  },
  /** Turns while something is under way. */
  spin: { line: 'M8 2a6 6 0 1 1-6 6', width: 2 },

  paw: {
    line: 'M4 5.4a1.4 1.8 0 1 1 0 3.6 1.4 1.8 0 0 1 0-3.6zM6.4 2a1.4 1.8 0 1 1 0 3.6 1.4 1.8 0 0 1 0-3.6zM9.6 2a1.4 1.8 0 1 1 0 3.6 1.4 1.8 0 0 1 0-3.6zM12 5.4a1.4 1.8 0 1 1 0 3.6 1.4 1.8 0 0 1 0-3.6zM8 8.2c1.8 0 3.4 1.9 3.4 3.4 0 1-.8 1.6-1.7 1.6-.7 0-1-.3-1.7-.3s-1 .3-1.7.3c-.9 0-1.7-.6-1.7-1.6 0-1.5 1.6-3.4 3.4-3.4z',
  },
  orders: {
    line: 'M3 1.8h10v12.4l-2-1.3-1.5 1.3L8 12.9l-1.5 1.3L5 12.9l-2 1.3zM5.8 5.5h4.4M5.8 8.5h4.4',
  },
  clock: { line: `${CIRCLE}M8 4.5V8l2.4 1.6` },
  categories: {
    line: 'M2.5 3.5v4.2l6.1 6.1a1 1 0 0 0 1.4 0l3.8-3.8a1 1 0 0 0 0-1.4L7.7 2.5H3.5a1 1 0 0 0-1 1zM5.5 5.5h.01',
  },
  key: { line: 'M10.5 2a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM8 8l-5.5 5.5M5 11l1.5 1.5' },
  more: { line: 'M2 4h12M2 8h12M2 12h12' },
  dots: { line: 'M3 8h.01M8 8h.01M13 8h.01', width: 2.4 },

  search: { line: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5 14 14' },
  plus: { line: 'M8 3v10M3 8h10' },
  minus: { line: 'M3 8h10' },
  close: { line: 'm4 4 8 8m0-8-8 8' },
  check: { line: 'm3 8.5 3.2 3.2L13 4.8' },
  up: { line: 'm4 10 4-4 4 4' },
  down: { line: 'm4 6 4 4 4-4' },
  left: { line: 'm10 4-4 4 4 4' },
  pencil: {
    line: 'm3 13 .6-2.8L10.7 3.1a1.3 1.3 0 0 1 1.8 0l.4.4a1.3 1.3 0 0 1 0 1.8L5.8 12.4z',
  },
  calendar: {
    line: 'M4 3.5h8A1.5 1.5 0 0 1 13.5 5v7a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 12V5A1.5 1.5 0 0 1 4 3.5zM2.5 6.8h11M5.5 2v2.5M10.5 2v2.5',
  },
  copy: {
    line: 'M7 5.5h5A1.5 1.5 0 0 1 13.5 7v5a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 12V7A1.5 1.5 0 0 1 7 5.5zM10.5 2.5H4A1.5 1.5 0 0 0 2.5 4v6.5',
  },
  print: { line: 'M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7z' },
  file: { line: 'M8 2.5v7M5 6.8 8 9.8l3-3M2.8 11v2.5h10.4V11' },
  link: {
    line: 'M7 4.5 8.6 2.9a3.2 3.2 0 0 1 4.5 4.5L11.5 9M9 11.5l-1.6 1.6a3.2 3.2 0 0 1-4.5-4.5L4.5 7M6 10l4-4',
  },

  stable: { fill: DISC },
  experimental: { line: DIAMOND, width: 2.2 },
  deprecated: { line: `${DISC}M4 12l8-8`, width: 2.2 },
} as const satisfies Readonly<Record<string, Drawing>>;

export type IconName = keyof typeof drawings;

/** Decoration: what it means is always written beside it. */
export function icon(name: IconName): JSX.Element {
  const { fill, line, cut, width, dashes }: Drawing = drawings[name];
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" width={16} height={16} aria-hidden="true">
      {line && <path d={line} stroke-width={width} stroke-dasharray={dashes} />}
      {fill && <path d={fill} fill="currentColor" stroke="none" />}
      {cut && <path d={cut} stroke="var(--surface)" stroke-width={2} />}
    </svg>
  );
}

/** A tag on its brass ring, which the style sheet draws half in front of the tag and half behind it. */
export function hungTag(tag: JSX.Element): JSX.Element {
  return <span class="hung">{tag}</span>;
}

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
