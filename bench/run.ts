import { parseArgs } from 'node:util';
import type { Server } from '../test/support/database/postgres.ts';
import type { Progress } from './progress.ts';

/** How often and how long everything is measured. */
export interface Schedule {
  readonly rounds: number;
  /** The length of a round. */
  readonly seconds: number;
  /** Before a workload: for a server that has served requests before, and for a new one. */
  readonly warmUp: number;
  readonly coldWarmUp: number;
  /** The numbers of animals that are compared and searched, fewest first, and how often the service is started with each. */
  readonly sizes: readonly number[];
  readonly starts: number;
}

const FULL: Schedule = {
  rounds: 5,
  seconds: 1.2,
  warmUp: 0.8,
  coldWarmUp: 3,
  sizes: [1000, 1_000_000, 10_000_000],
  starts: 3,
};

const QUICK: Schedule = {
  rounds: 3,
  seconds: 0.22,
  warmUp: 0.15,
  coldWarmUp: 1.2,
  sizes: [1000, 1_000_000],
  starts: 1,
};

/** What every part of a run needs. */
export interface Run {
  /** A temporary folder for databases and logs. */
  readonly folder: string;
  readonly schedule: Schedule;
  readonly progress: Progress;
  readonly postgres: Server | undefined;
}

export interface Options {
  readonly schedule: Schedule;
  /** Whether the workload or section of this name is selected. */
  readonly isSelected: (name: string) => boolean;
  /** Whether this is a full run, which replaces the published report. */
  readonly isFull: boolean;
}

export function readOptions(): Options {
  const { values } = parseArgs({
    options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
  });
  const names = values.only.toLowerCase().split(',');
  return {
    schedule: values.quick ? QUICK : FULL,
    isSelected: (name) => names.some((part) => name.toLowerCase().includes(part)),
    isFull: !values.quick && values.only === '',
  };
}

/** How long one contender takes for one workload. */
export function secondsPerWorkload({ warmUp, rounds, seconds }: Schedule): number {
  return warmUp + rounds * seconds;
}

/** Estimates for the progress display. */
export const SECONDS_TO_START = 1;
export const secondsToFill = (animals: number) => animals / 120_000;
