import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The bytes that are held at this moment: what is merely waiting to be collected is not counted. */
export function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
