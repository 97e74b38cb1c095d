import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { run } from './cli/commands.ts';
import { UsageError } from './config.ts';
import { StoreError } from './store/store.ts';

// Compiled code is cached for the next start, which saves a third of its CPU time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/animal-store');
enableCompileCache();

try {
  await run(process.argv.slice(2), process.env);
  flushCompileCache();
} catch (error) {
  process.stderr.write(`animal-store: ${(error as Error).message}\n`);
  process.exitCode = error instanceof UsageError || error instanceof StoreError ? 2 : 1;
}
