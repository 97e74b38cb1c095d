import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Observed } from './observe.ts';
import type { Sent } from './odd-requests.ts';

const FILE = join(import.meta.dirname, '../fixtures/answers.json');

/** A request and its recorded effects. */
export interface RecordedCase extends Observed {
  readonly request: Sent;
}

/** Long repetitions, which are common in odd requests, are stored as `«unit*count»`. */
const REPEATED = /(\[\[|.)\1{39,}/gsu;
const MARK = /«(.+?)\*(\d+)»/gsu;

const shorten = (text: string): string =>
  text.replace(REPEATED, (run, unit: string) => `«${unit}*${run.length / unit.length}»`);
const expand = (text: string): string =>
  text.replace(MARK, (_mark, unit: string, n) => unit.repeat(Number(n)));

const strings = (change: (text: string) => string) => (_key: string, value: unknown) =>
  typeof value === 'string' ? change(value) : value;

/** The recorded cases in their original order, because each depends on the state that the earlier ones created. */
export async function readRecordedCases(): Promise<RecordedCase[]> {
  return JSON.parse(await readFile(FILE, 'utf8'), strings(expand)) as RecordedCase[];
}

/** Writes one line per case, so that a diff shows exactly the changed cases. */
export async function writeRecordedCases(cases: readonly RecordedCase[]): Promise<void> {
  const lines = cases.map((one) => JSON.stringify(one, strings(shorten)));
  await writeFile(FILE, `[\n${lines.join(',\n')}\n]\n`);
}
