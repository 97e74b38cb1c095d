import { cleanUp, cleanUpOnSignal, interrupted, unlessInterrupted } from '../../bench/cleanup.ts';
import { count } from '../../bench/format.ts';
import { startClients } from './clients.ts';
import { causeFaults, NO_FAULT } from './faults.ts';
import { API_KEY } from './instance.ts';
import { findPrograms, type Programs } from './programs.ts';
import { ClientRecord } from './record.ts';
import { report } from './report.ts';
import { startTopology } from './topology.ts';
import { compareWithStored, readStored } from './verify.ts';

/**
 * npm run demo:cluster: two PostgreSQL servers under Patroni, two instances, HAProxy and clients, with servers that are killed
 * and paused. Exits with 1 when anything acknowledged was lost or doubled or the
 * service did not recover, with 2 when a program is missing.
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
    say(
      `Starting etcd, two PostgreSQL servers under Patroni (synchronous_mode: ${synchronous}), two instances, HAProxy.`,
    );
    const topology = await startTopology(found, synchronous);
    say(`Clients create, read and order at ${topology.baseUrl}; logs are in ${topology.folder}.`);
    const record = new ClientRecord(NO_FAULT);
    const clients = startClients(topology.baseUrl, API_KEY, record);
    const hasRecovered = await causeFaults(topology, record, say).then(
      () => true,
      (error: unknown) => {
        say(`The service did not recover: ${error instanceof Error ? error.message : error}.`);
        return false;
      },
    );
    await unlessInterrupted();
    await clients.stop();
    const stored = await readStored(topology);
    compareWithStored(record, stored);
    const lost = record.phases.reduce((sum, phase) => sum + phase.lost, 0);
    const doubled = record.phases.reduce((sum, phase) => sum + phase.doubled, 0);
    say(
      `Read back from the primary: ${count(stored.pets.length)} animals, ${count(stored.orders.length)} orders.\n`,
    );
    print(report(record.phases));
    print(`\nAcknowledged and lost: ${lost}. Doubled: ${doubled}.`);
    if (lost + doubled > 0 || !hasRecovered) process.exitCode = 1;
  } catch (error) {
    if (!interrupted) throw error;
  } finally {
    if (!interrupted) await cleanUp();
  }
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
