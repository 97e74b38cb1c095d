import type { JSX } from 'preact';

/** Shapes on a 16-pixel grid. Each status has its own, so that colour is never needed to tell them apart. */
const paths = {
  available: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Z',
  reserved: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Zm0 1.6a4.4 4.4 0 0 0 0 8.8V3.6Z',
  sold: 'M3 2h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1Zm8.3 3.3L7 9.6 4.9 7.5 3.8 8.6 7 11.8l5.4-5.4-1.1-1.1Z',
  cancelled:
    'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2ZM5.6 4.5 4.5 5.6 6.9 8l-2.4 2.4 1.1 1.1L8 9.1l2.4 2.4 1.1-1.1L9.1 8l2.4-2.4-1.1-1.1L8 6.9 5.6 4.5Z',
  removed:
    'M7.25 2.05v1.6a4.4 4.4 0 0 0-2 .83L4.1 3.35a6 6 0 0 1 3.15-1.3Zm1.5 0a6 6 0 0 1 3.15 1.3l-1.15 1.13a4.4 4.4 0 0 0-2-.83v-1.6ZM12.65 4.1a6 6 0 0 1 1.3 3.15h-1.6a4.4 4.4 0 0 0-.83-2l1.13-1.15Zm1.3 4.65a6 6 0 0 1-1.3 3.15l-1.13-1.15a4.4 4.4 0 0 0 .83-2h1.6ZM11.9 12.65a6 6 0 0 1-3.15 1.3v-1.6a4.4 4.4 0 0 0 2-.83l1.15 1.13Zm-4.65 1.3a6 6 0 0 1-3.15-1.3l1.15-1.13a4.4 4.4 0 0 0 2 .83v1.6ZM3.35 11.9a6 6 0 0 1-1.3-3.15h1.6a4.4 4.4 0 0 0 .83 2L3.35 11.9Zm-1.3-4.65a6 6 0 0 1 1.3-3.15l1.13 1.15a4.4 4.4 0 0 0-.83 2h-1.6Z',
  search: 'M7 2a5 5 0 0 1 4 8l3 3-1 1-3-3a5 5 0 1 1-3-9Zm0 1.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z',
  plus: 'M7.25 3h1.5v4.25H13v1.5H8.75V13h-1.5V8.75H3v-1.5h4.25V3Z',
  close:
    'm4.3 3.2 3.7 3.7 3.7-3.7 1.1 1.1L9.1 8l3.7 3.7-1.1 1.1L8 9.1l-3.7 3.7-1.1-1.1L6.9 8 3.2 4.3l1.1-1.1Z',
  warning: 'M8 1.5 15 14H1L8 1.5Zm-.75 4.75v4h1.5v-4h-1.5Zm0 5v1.5h1.5v-1.5h-1.5Z',
  check: 'm6.5 12.3-4-4 1.1-1.1 2.9 2.9 5.9-5.9 1.1 1.1-7 7Z',
  up: 'm8 5.2 5 5-1.1 1.1L8 7.4l-3.9 3.9L3 10.2l5-5Z',
  down: 'm8 10.8-5-5 1.1-1.1L8 8.6l3.9-3.9L13 5.8l-5 5Z',
  paw: 'M4.2 6.2c.9 0 1.5.9 1.5 1.8S5.1 9.5 4.3 9.5 2.7 8.7 2.7 7.8s.6-1.6 1.5-1.6Zm2.2-3.7c.9 0 1.6.9 1.6 1.9S7.4 6.2 6.5 6.2 5 5.4 5 4.4s.5-1.9 1.4-1.9Zm3.2 0c.9 0 1.4.9 1.4 1.9s-.6 1.8-1.5 1.8S8 5.4 8 4.4s.7-1.9 1.6-1.9Zm2.2 3.7c.9 0 1.5.7 1.5 1.6s-.8 1.7-1.6 1.7-1.4-.6-1.4-1.5.6-1.8 1.5-1.8ZM8 7.5c1.6 0 3.3 1.9 3.3 3.5 0 1.2-.9 1.8-1.8 1.8-.7 0-1-.3-1.5-.3s-.8.3-1.5.3c-.9 0-1.8-.6-1.8-1.8 0-1.6 1.7-3.5 3.3-3.5Z',
  orders:
    'M3.5 1.5h9v13l-1.8-1.2-1.4 1.2L8 13.3l-1.3 1.2-1.4-1.2-1.8 1.2v-13Zm1.5 1.5v8.5h6V3H5Zm1 1.7h4v1.3H6V4.7Zm0 2.8h4v1.3H6V7.5Z',
  categories: 'M2 3.25h12v1.5H2v-1.5Zm0 4h12v1.5H2v-1.5Zm0 4h12v1.5H2v-1.5Z',
  clock:
    'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Zm0 1.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9Zm-.7 1.500h1.400v2.700l1.900 1.200-.75 1.200L7.300 8.500V5Z',
  edited: 'M8 1.500 14.500 8 8 14.500 1.500 8 8 1.500Zm0 2.100L3.600 8 8 12.400 12.400 8 8 3.600Z',
  added: 'M6.900 2h2.200v4.900H14v2.200H9.100V14H6.900V9.100H2V6.900h4.900V2Z',
  key: 'M5.500 5a4 4 0 1 1 2.650 3.770L6.500 10.420V12H5v1.500H2v-2.700l3.730-3.730A4 4 0 0 1 5.500 5Zm4.500-1.500a1.250 1.250 0 1 0 0 2.500 1.250 1.250 0 0 0 0-2.500Z',
  link: 'M6.6 9.4a2.6 2.6 0 0 1 0-3.7l2.3-2.3a2.6 2.6 0 0 1 3.7 3.7l-1.3 1.3-1-1 1.3-1.3a1.2 1.2 0 0 0-1.7-1.7L7.6 6.7a1.2 1.2 0 0 0 0 1.7l-1 1Zm2.8-2.8a2.6 2.6 0 0 1 0 3.7l-2.3 2.3a2.6 2.6 0 0 1-3.7-3.7l1.3-1.3 1 1-1.3 1.3a1.2 1.2 0 0 0 1.7 1.7l2.3-2.3a1.2 1.2 0 0 0 0-1.7l1-1Z',
} as const;

type IconName = keyof typeof paths;

/** Decoration: what it means is always written beside it. */
export function icon(name: IconName): JSX.Element {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" width={16} height={16} aria-hidden="true">
      <path d={paths[name]} fill="currentColor" fill-rule="evenodd" />
    </svg>
  );
}

/** A collar tag with a paw, on its brass ring. */
export function logo(): JSX.Element {
  return (
    <svg class="logo" viewBox="0 0 28 32" width={28} height={32} aria-hidden="true">
      <circle class="logo-ring" cx={14} cy={4.5} r={3.25} fill="none" stroke-width={1.5} />
      <circle class="logo-ground" cx={14} cy={18.5} r={12.5} />
      <g class="logo-paw" transform="translate(3.6 8.6) scale(0.65)">
        <ellipse cx={9.6} cy={14.2} rx={2.5} ry={3.2} transform="rotate(-24 9.6 14.2)" />
        <ellipse cx={13.4} cy={9.8} rx={2.5} ry={3.3} transform="rotate(-7 13.4 9.8)" />
        <ellipse cx={18.6} cy={9.8} rx={2.5} ry={3.3} transform="rotate(7 18.6 9.8)" />
        <ellipse cx={22.4} cy={14.2} rx={2.5} ry={3.2} transform="rotate(24 22.4 14.2)" />
        <path d="M16 15.2c3.3 0 6.4 3.5 6.4 6.3 0 2-1.5 2.9-3.2 2.9-1.3 0-2-.6-3.2-.6s-1.9.6-3.2.6c-1.7 0-3.2-.9-3.2-2.9 0-2.8 3.1-6.3 6.4-6.3Z" />
      </g>
    </svg>
  );
}
