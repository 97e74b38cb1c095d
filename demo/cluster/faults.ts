import { setTimeout as sleep } from 'node:timers/promises';
import { unlessInterrupted } from '../../bench/cleanup.ts';
import type { DatabaseNode } from './database-node.ts';
import { until } from './processes.ts';
import type { ClientRecord } from './record.ts';
import { findPrimary, type Topology, untilReplicated } from './topology.ts';

export const NO_FAULT = 'no fault';

type Say = (text: string) => void;

/** Causes each fault, waits until the service has recovered, repairs what is broken, and goes on to the next one. */
export async function causeFaults(topology: Topology, record: ClientRecord, say: Say): Promise<void> {
  say('No fault yet.');
  await pause(10);
  for (const [name, fault] of Object.entries(faults)) {
    await unlessInterrupted();
    await fault(topology, say, () => record.begin(name));
    const repairedAt = performance.now();
    await until('the first write after the repair', 60, async () => record.hasWrittenSince(repairedAt));
    await pause(5);
  }
}

type Fault = (topology: Topology, say: Say, begin: () => void) => Promise<void>;

const faults: Readonly<Record<string, Fault>> = {
  async 'primary killed'(topology, say, begin) {
    const [primary, standby] = await rolesOf(topology);
    begin();
    say(`kill -9 of ${primary.name}, the primary: PostgreSQL and Patroni, as when the machine loses power.`);
    await primary.kill();
    await untilPromoted(standby, say);
    await pause(5);
    say(`${primary.name} starts again.`);
    await primary.start();
    await untilReplicated(topology);
    say(`${primary.name} is the standby.`);
  },

  async 'instance killed'({ instances }, say, begin) {
    const [instance] = instances;
    if (!instance) throw new Error('there is no instance');
    begin();
    say(`kill -9 of instance ${instance.name} of the service.`);
    await instance.kill();
    await pause(10);
    say(`Instance ${instance.name} starts again.`);
    await instance.start();
  },

  async 'primary paused'(topology, say, begin) {
    const [primary, standby] = await rolesOf(topology);
    begin();
    say(`SIGSTOP to ${primary.name}, the primary: its connections stay open, and it answers nothing.`);
    primary.pause();
    await untilPromoted(standby, say);
    await pause(10);
    say(`${primary.name} continues (SIGCONT), with the state of a primary.`);
    primary.resume();
    await untilReplicated(topology);
    say(`${primary.name} is the standby.`);
  },

  async 'standby paused'(topology, say, begin) {
    const [, standby] = await rolesOf(topology);
    begin();
    say(`SIGSTOP to ${standby.name}, the standby.`);
    standby.pause();
    await pause(30);
    say(`${standby.name} continues (SIGCONT).`);
    standby.resume();
    await untilReplicated(topology);
  },

  /** The standby lacks the last acknowledged writes, so it must not become the primary. */
  async 'both failed'(topology, say, begin) {
    const [primary, standby] = await rolesOf(topology);
    begin();
    say(`SIGSTOP to ${standby.name}, the standby.`);
    standby.pause();
    await pause(10);
    say(`kill -9 of ${primary.name}, the primary; ${standby.name} continues (SIGCONT).`);
    await primary.kill();
    standby.resume();
    await pause(30);
    const outcome = (await standby.isPrimary()) ? 'has become the primary' : 'has not become the primary';
    say(`${standby.name} ${outcome}. ${primary.name} starts again.`);
    await primary.start();
    await untilReplicated(topology);
  },
};

async function rolesOf({ nodes }: Topology): Promise<[primary: DatabaseNode, standby: DatabaseNode]> {
  const primary = await findPrimary(nodes);
  const standby = nodes.find((node) => node !== primary);
  if (!standby) throw new Error('there is no standby');
  return [primary, standby];
}

async function untilPromoted(standby: DatabaseNode, say: Say): Promise<void> {
  await until(`the promotion of ${standby.name}`, 120, () => standby.isPrimary());
  say(`${standby.name} is the primary.`);
}

const pause = (seconds: number): Promise<void> => sleep(seconds * 1000);
