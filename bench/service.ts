import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const children: ChildProcess[] = [];

export const KEY = 'bench-key';
export const pet = '{"name":"Rex of the benchmark, a patient animal","categoryId":7}';

const head = `Host: bench\r\nAuthorization: Bearer ${KEY}\r\n`;
export const list = `GET /v1/pets HTTP/1.1\r\n${head}\r\n`;
export const create = `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${pet.length}\r\n\r\n${pet}`;

export interface Started {
  readonly pid: number;
  readonly port: number;
}

/** A process that says where it listens, until `stopAll`. */
export async function start(args: string[], env: Record<string, string>): Promise<Started> {
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env } });
  children.push(child);
  const port = await new Promise<number>((resolve) => {
    child.stdout.on('data', (chunk) => {
      const address = /listens on http:\/\/[^:]+:(\d+)/.exec(String(chunk))?.[1];
      if (address) resolve(Number(address));
    });
  });
  return { pid: child.pid as number, port };
}

export function startService(database: string): Promise<Started> {
  return start(['src/main.ts', 'serve'], { DATABASE_URL: database, API_KEYS: KEY, PORT: '0' });
}

export function stopAll(): void {
  for (const child of children) child.kill('SIGKILL');
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
