import { parentPort, workerData } from 'node:worker_threads';
import { connect, makeDurable } from './connection.ts';
import { settled } from './settled.ts';
import { createWriter, type Write } from './writer.ts';

const { path } = workerData as { path: string };
const db = connect(path);
makeDurable(db, path);
const commit = createWriter(db);

parentPort?.on('message', (writes: Write[] | 'close') => {
  if (writes === 'close') {
    db.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(commit(writes).map(settled));
  }
});
