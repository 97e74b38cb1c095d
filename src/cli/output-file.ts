import { once } from 'node:events';
import { createWriteStream, rmSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Io } from './io.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Writes text; resolves when more can be written. */
type Write = (text: string) => Promise<void>;

/**
 * Gives `work` a place to write to: standard output for `-`, or a file. A file appears under its name, on the disk, when it is
 * complete: an interrupted command never leaves half of one, and no other file unless it is killed.
 */
export async function writeTo(io: Io, path: string, work: (write: Write) => Promise<void>): Promise<void> {
  if (path === '-') return work(writer(io.stdout, new Promise(() => {})));
  const existing = statSync(path, { throwIfNoEntry: false });
  // A device or a pipe cannot be replaced by a file.
  const target = existing && !existing.isFile() ? path : `${path}.partial-${process.pid}`;
  const isPartial = target !== path;
  const stopListening = cleanUpOnSignal(() => isPartial && rmSync(target, { force: true }));
  try {
    const stream = createWriteStream(target, { flush: true });
    const end = finished(stream);
    end.catch(() => {});
    await Promise.race([once(stream, 'open'), end]);
    await work(writer(stream, end));
    stream.end();
    await end;
    if (isPartial) await replace(target, path);
  } catch (error) {
    if (isPartial) await rm(target, { force: true });
    throw readable(error, path);
  } finally {
    stopListening();
  }
}

/** Runs `cleanUp` before a signal ends the process, until the function that it returns is called. */
function cleanUpOnSignal(cleanUp: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    cleanUp();
    stop();
    process.kill(process.pid, signal);
  };
  const stop = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return stop;
}

async function replace(from: string, to: string): Promise<void> {
  await rename(from, to);
  const folder = await open(dirname(to), 'r');
  await folder.sync().finally(() => folder.close());
}

/** `end` rejects when the stream fails, even between two writes. */
function writer(stream: NodeJS.WritableStream, end: Promise<void>): Write {
  return async (text) => {
    if (!stream.write(text)) await Promise.race([once(stream, 'drain'), end]);
  };
}

/** An error of the file system, without the name of the temporary file. */
function readable(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || !message.startsWith(`${code}: `)) return error;
  return new Error(`cannot write ${path}: ${message.slice(code.length + 2).split(',')[0]}`, { cause: error });
}
