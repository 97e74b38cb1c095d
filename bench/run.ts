import { parseArgs } from 'node:util';
import type { Server } from '../test/support/postgres.ts';
import type { Progress } from './progress.ts';

/** How long everything is measured. */
export interface Pace {
  readonly rounds: number;
  readonly seconds: number;
  /** Before a work: for a server that has worked before, and for one that is new. */
  readonly warmUp: number;
  readonly coldWarmUp: number;
  /** The numbers of animals that are compared, and how often each is started. */
  readonly sizes: readonly number[];
  readonly starts: number;
}

const FULL: Pace = {
  rounds: 5,
  seconds: 1.2,
  warmUp: 0.8,
  coldWarmUp: 3,
  sizes: [1000, 10_000, 100_000, 1_000_000, 10_000_000],
  starts: 3,
};

const QUICK: Pace = {
  rounds: 3,
  seconds: 0.22,
  warmUp: 0.15,
  coldWarmUp: 1.2,
  sizes: [1000, 1_000_000],
  starts: 1,
};

/** What a run has at hand. */
export interface Run {
  readonly folder: string;
  readonly pace: Pace;
  readonly progress: Progress;
  readonly postgres: Server | undefined;
}

export interface Options {
  readonly pace: Pace;
  /** Whether a work or a section of this name is to be measured. */
  readonly wants: (name: string) => boolean;
  /** A part of the work, or a quick look, is no report. */
  readonly whole: boolean;
}

export function readOptions(): Options {
  const { values } = parseArgs({
    options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
  });
  const names = values.only.toLowerCase().split(',');
  return {
    pace: values.quick ? QUICK : FULL,
    wants: (name) => names.some((part) => name.toLowerCase().includes(part)),
    whole: !values.quick && values.only === '',
  };
}

/** What one contender takes at one work. */
export function secondsEach({ warmUp, rounds, seconds }: Pace): number {
  return warmUp + rounds * seconds;
}

/** About what the rest takes, for the time that is left. */
export const SECONDS_TO_START = 1;
export const secondsToMake = (animals: number) => animals / 250_000;
