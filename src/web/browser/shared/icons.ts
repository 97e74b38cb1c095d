import { type Element, h } from './element.ts';

/** Shapes on a 16-pixel grid. Each status has its own, so that colour is never needed to tell them apart. */
const paths = {
  available: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Z',
  pending: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Zm0 1.6a4.4 4.4 0 0 0 0 8.8V3.6Z',
  sold: 'M3 2h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1Zm8.3 3.3L7 9.6 4.9 7.5 3.8 8.6 7 11.8l5.4-5.4-1.1-1.1Z',
  cancelled:
    'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2ZM5.6 4.5 4.5 5.6 6.9 8l-2.4 2.4 1.1 1.1L8 9.1l2.4 2.4 1.1-1.1L9.1 8l2.4-2.4-1.1-1.1L8 6.9 5.6 4.5Z',
  search: 'M7 2a5 5 0 0 1 4 8l3 3-1 1-3-3a5 5 0 1 1-3-9Zm0 1.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z',
  plus: 'M7.25 3h1.5v4.25H13v1.5H8.75V13h-1.5V8.75H3v-1.5h4.25V3Z',
  close:
    'm4.3 3.2 3.7 3.7 3.7-3.7 1.1 1.1L9.1 8l3.7 3.7-1.1 1.1L8 9.1l-3.7 3.7-1.1-1.1L6.9 8 3.2 4.3l1.1-1.1Z',
  warning: 'M8 1.5 15 14H1L8 1.5Zm-.75 4.75v4h1.5v-4h-1.5Zm0 5v1.5h1.5v-1.5h-1.5Z',
  check: 'm6.5 12.3-4-4 1.1-1.1 2.9 2.9 5.9-5.9 1.1 1.1-7 7Z',
  link: 'M6.6 9.4a2.6 2.6 0 0 1 0-3.7l2.3-2.3a2.6 2.6 0 0 1 3.7 3.7l-1.3 1.3-1-1 1.3-1.3a1.2 1.2 0 0 0-1.7-1.7L7.6 6.7a1.2 1.2 0 0 0 0 1.7l-1 1Zm2.8-2.8a2.6 2.6 0 0 1 0 3.7l-2.3 2.3a2.6 2.6 0 0 1-3.7-3.7l1.3-1.3 1 1-1.3 1.3a1.2 1.2 0 0 0 1.7 1.7l2.3-2.3a1.2 1.2 0 0 0 0-1.7l1-1Z',
} as const;

export type IconName = keyof typeof paths;

/** Decoration: what it means is always written beside it. */
export function icon(name: IconName): Element {
  return h(
    'svg',
    { class: `icon icon-${name}`, viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' },
    h('path', { d: paths[name], fill: 'currentColor', 'fill-rule': 'evenodd' }),
  );
}

export function logo(): Element {
  return h(
    'svg',
    { class: 'logo', viewBox: '0 0 32 32', width: 28, height: 28, 'aria-hidden': 'true' },
    h('rect', { class: 'logo-ground', width: 32, height: 32, rx: 8 }),
    h(
      'g',
      { class: 'logo-paw' },
      h('ellipse', { cx: 9.6, cy: 14.2, rx: 2.5, ry: 3.2, transform: 'rotate(-24 9.6 14.2)' }),
      h('ellipse', { cx: 13.4, cy: 9.8, rx: 2.5, ry: 3.3, transform: 'rotate(-7 13.4 9.8)' }),
      h('ellipse', { cx: 18.6, cy: 9.8, rx: 2.5, ry: 3.3, transform: 'rotate(7 18.6 9.8)' }),
      h('ellipse', { cx: 22.4, cy: 14.2, rx: 2.5, ry: 3.2, transform: 'rotate(24 22.4 14.2)' }),
      h('path', {
        d: 'M16 15.2c3.3 0 6.4 3.5 6.4 6.3 0 2-1.5 2.9-3.2 2.9-1.3 0-2-.6-3.2-.6s-1.9.6-3.2.6c-1.7 0-3.2-.9-3.2-2.9 0-2.8 3.1-6.3 6.4-6.3Z',
      }),
    ),
  );
}
