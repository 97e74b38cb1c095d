import { cleanUp, cleanUpOnSignal, interrupted, unlessInterrupted } from '../../bench/cleanup.ts';
import { count } from '../../bench/format.ts';
import { startClients } from './clients.ts';
import { causeFaults, NO_FAULT } from './faults.ts';
import { makeFolder } from './folder.ts';
import { Follower } from './follower.ts';
import { API_KEY } from './instance.ts';
import { findPrograms, type Programs } from './programs.ts';
import { ClientRecord } from './record.ts';
import { report } from './report.ts';
import { startTopology } from './topology.ts';
import { compareWithStored, type FollowedEvents, readStored } from './verify.ts';

/**
 * npm run demo:cluster: two PostgreSQL servers under Patroni, two instances, HAProxy and clients, with servers that are killed
 * and paused. Exits with 1 when anything acknowledged was lost, doubled, not shown or missing from the stream of events, or when the
 * service did not recover, and with 2 when a program is missing.
 */
const started = performance.now();
const programs = findPrograms();
const unknown = process.argv.slice(2).find((argument) => argument !== '--asynchronous');
if (unknown !== undefined) refuse(`unknown argument ${unknown}; the only one is --asynchronous`);
else if (typeof programs === 'string') refuse(programs);
else await demonstrate(programs, !process.argv.includes('--asynchronous'));

async function demonstrate(found: Programs, synchronous: boolean): Promise<void> {
  cleanUpOnSignal();
  process.once('SIGHUP', () => process.kill(process.pid, 'SIGTERM'));
  try {
    const folder = await makeFolder();
    say(`Starting etcd, two PostgreSQL servers, two instances, HAProxy; synchronous_mode: ${synchronous}.`);
    say(`Logs are in ${folder}.`);
    const topology = await startTopology(found, folder, synchronous);
    const follower = await Follower.start(topology.baseUrl, API_KEY);
    say(`Clients create, read, order and follow the events at ${topology.baseUrl}.`);
    const record = new ClientRecord(NO_FAULT);
    const clients = startClients(topology.baseUrl, API_KEY, record);
    await causeFaults(topology, record, say).catch(fail);
    await unlessInterrupted();
    if (!(await clients.stop())) fail('some calls were never answered');
    const events = await follower.stop(record).catch(fail);
    const stored = await readStored(topology);
    compareWithStored(record, stored);
    const [pets, orders] = [count(stored.pets.length), count(stored.orders.length)];
    say(`Read back from the primary: ${pets} animals, ${orders} orders.\n`);
    print(report(record.phases));
    const total = (figure: 'lost' | 'doubled' | 'staleReads') =>
      record.phases.reduce((sum, phase) => sum + phase[figure], 0);
    const [lost, doubled, stale] = [total('lost'), total('doubled'), total('staleReads')];
    print(`\nAcknowledged and lost: ${lost}. Doubled: ${doubled}. Stale reads: ${stale}.`);
    if (lost + doubled + stale > 0) process.exitCode = 1;
    if (events) reportEvents(events);
  } catch (error) {
    fail(error);
  }
  // On a signal, the clean-up is in progress already, and ends the process.
  if (interrupted) return;
  await cleanUp();
  // Calls that were never answered are still being repeated.
  process.exit();
}

function reportEvents({ received, missing, doubled }: FollowedEvents): void {
  print(`Events in the stream: ${count(received)}. Missing: ${missing}. Doubled: ${doubled}.`);
  if (missing + doubled > 0) process.exitCode = 1;
}

/** The counts so far are printed all the same. Exit code 1 keeps the logs. */
function fail(error: unknown): void {
  if (interrupted) return;
  say(`FAILED: ${error instanceof Error ? error.message : error}.`);
  process.exitCode = 1;
}

function refuse(line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = 2;
}

function say(text: string): void {
  if (!interrupted) print(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
