import { bare, contenders, onPostgres, sqlite } from '../contenders/contenders.ts';
import { count } from '../format.ts';
import { firstPage } from '../workloads/read-workloads.ts';
import { workloads } from '../workloads/workloads.ts';
import { cpuOf, type Results, shareOfLimit } from './results.ts';

const WIDTH = 880;
const LEFT = 264;
const RIGHT = 112;
const ROW = 30;
const BAR = 18;
const HEAD = 64;
/** The width of a character of the figure to the right of a bar. */
const CHARACTER = 8;

const CACHED = ' (cache)';

/** The chart has its own white background, because the page around it may be dark. */
const colors = {
  background: '#ffffff',
  border: '#d8dee6',
  text: '#1c2733',
  muted: '#5c6b7a',
  limit: '#8a97a6',
  ours: '#0f766e',
  oursOnPostgres: '#5fa9a3',
  peer: '#b9c3cf',
  track: '#eef1f5',
  target: '#c2410c',
};

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly text: string;
  readonly color: string;
  /** The value it should reach. */
  readonly target?: number | undefined;
}

interface Panel {
  readonly title: string;
  readonly about: string;
  /** The value of a bar of full length. */
  readonly max: number;
  /** Whether to draw the track that a value of 1 fills. */
  readonly hasTrack: boolean;
  readonly bars: readonly Bar[];
}

/** Two panels: what a first page costs each contender, and how close this service comes to the limit. */
export function chart(results: Results): string {
  const panels = [costs(results), shares(results)];
  const parts: string[] = [];
  let top = 16;
  for (const panel of panels) {
    parts.push(drawPanel(panel, top));
    top += HEAD + panel.bars.length * ROW + 20;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${top}" viewBox="0 0 ${WIDTH} ${top}" font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="14" role="img">
<title>CPU per request, and the share of the limit</title>
<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${top - 1}" rx="10" fill="${colors.background}" stroke="${colors.border}"/>
${parts.join('\n')}
</svg>
`;
}

function costs(results: Results): Panel {
  const bars = contenders.flatMap(({ name }) => {
    const value = cpuOf(results, firstPage, name);
    return value === undefined
      ? []
      : {
          label: name,
          value,
          text: `${count(value)} µs${name === sqlite.name ? CACHED : ''}`,
          color: colorOf(name),
        };
  });
  return {
    title: 'What a page of 20 animals costs',
    about: 'Server CPU per request, listPets, first page. Shorter is better. (cache): no competitor has one.',
    max: Math.max(0, ...bars.map(({ value }) => value)),
    hasTrack: false,
    bars,
  };
}

function shares(results: Results): Panel {
  const bars = workloads.flatMap((workload) => {
    const value = shareOfLimit(results, workload);
    const { name, target } = workload;
    return value === undefined
      ? []
      : {
          label: name,
          value,
          text: percent(value) + (workload.isCached ? CACHED : ''),
          color: colors.ours,
          target,
        };
  });
  return {
    title: 'How close Animal Store comes to the limit',
    about:
      'CPU of bare node:http sending the same bytes, divided by ours (SQLite). 100 % is the limit; the line is the target.',
    max: Math.max(1, ...bars.map(({ value }) => value)),
    hasTrack: true,
    bars,
  };
}

function colorOf(name: string): string {
  if (name === bare.name) return colors.limit;
  if (name === sqlite.name) return colors.ours;
  return name === onPostgres.name ? colors.oursOnPostgres : colors.peer;
}

function drawPanel({ title, about, max, hasTrack, bars }: Panel, top: number): string {
  const length = (value: number) => Math.max(1, ((WIDTH - LEFT - RIGHT) * value) / max);
  const rect = (y: number, width: number, fill: string) =>
    `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="2" fill="${fill}"/>`;
  const rows = bars.map(({ label, value, text, color, target }, i) => {
    const y = top + HEAD + i * ROW;
    const base = y + BAR / 2 + 5;
    const end = LEFT + length(value);
    const mark = target === undefined ? undefined : LEFT + length(target);
    const labelAfter =
      mark !== undefined && mark > end - 2 && mark < end + text.length * CHARACTER ? mark : end;
    return [
      `<text x="${LEFT - 12}" y="${base}" text-anchor="end" fill="${colors.text}">${label}</text>`,
      hasTrack ? rect(y, length(1), colors.track) : '',
      rect(y, length(value), color),
      mark === undefined ? '' : drawMark(mark, y),
      `<text x="${(labelAfter + 8).toFixed(1)}" y="${base}" fill="${colors.text}" font-weight="600">${text}</text>`,
    ].join('');
  });
  return [
    `<text x="24" y="${top + 20}" fill="${colors.text}" font-size="17" font-weight="600">${title}</text>`,
    `<text x="24" y="${top + 42}" fill="${colors.muted}">${about}</text>`,
    ...rows,
  ].join('\n');
}

function drawMark(x: number, y: number): string {
  return `<path d="M${x.toFixed(1)} ${y - 4}v${BAR + 8}" stroke="${colors.target}" stroke-width="2.5"/>`;
}

function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}
