import { run } from './cli/commands.ts';
import { UsageError } from './config.ts';
import { StoreError } from './store/store.ts';

try {
  await run(process.argv.slice(2), process.env);
} catch (error) {
  process.stderr.write(`animal-store: ${(error as Error).message}\n`);
  process.exitCode = error instanceof UsageError || error instanceof StoreError ? 2 : 1;
}
