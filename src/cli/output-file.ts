import { once } from 'node:events';
import { closeSync, createWriteStream, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { statIfExists } from '../store/database-files.ts';
import { assertFolder, fileError } from '../store/file-errors.ts';
import { closePartial, createPartial, partialOf, publish } from '../store/partial-file.ts';
import type { Io } from './io.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Writes text; resolves when more can be written. */
type Write = (text: string) => Promise<void>;

/**
 * Gives `work` a place to write to: standard output for `-`, or a file. A file appears under its name, on the disk, when it is
 * complete. An interrupted command leaves nothing; the next one to the same file removes what a killed one has left.
 */
export async function writeTo(
  io: Io,
  path: string,
  overwrite: boolean,
  work: (write: Write) => Promise<void>,
): Promise<void> {
  if (path === '-') return work(writer(io.stdout, new Promise(() => {})));
  assertFolder(dirname(path));
  let close = () => {};
  const stopListening = cleanUpOnSignal(() => close());
  try {
    const existing = statIfExists(path);
    // A device or a pipe cannot be replaced by a file.
    const isPartial = !existing || existing.isFile() || existing.isSymbolicLink();
    const fd = isPartial ? createPartial(path, 0o666) : openSync(path, 'w');
    close = () => (isPartial ? closePartial(path, fd) : closeSync(fd));
    const stream = createWriteStream('', { fd, autoClose: false });
    const end = finished(stream);
    end.catch(() => {});
    await work(writer(stream, end));
    stream.end();
    await end;
    if (isPartial) publish(path, { descriptor: fd, overwrite });
  } catch (error) {
    throw fileError(error, [partialOf(path)]);
  } finally {
    stopListening();
    close();
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

/** `end` rejects when the stream fails, even between two writes. */
function writer(stream: NodeJS.WritableStream, end: Promise<void>): Write {
  return async (text) => {
    if (!stream.write(text)) await Promise.race([once(stream, 'drain'), end]);
  };
}
