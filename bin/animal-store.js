#!/usr/bin/env node
// Plain JavaScript, because Node strips no types below node_modules, and because a Node that is too old must be able to
// say so. In a checkout it runs the TypeScript sources; the npm package has only their build.
import { existsSync } from 'node:fs';
import * as module from 'node:module';
import { join } from 'node:path';

// What the service is tested on. `engines` of package.json begins earlier, because the client runs on Node 22.
const OLDEST = '24.15';
const NEWEST = 26;
// As for any wrong setting: another try does not help, and systemd must not restart the service. src/cli/main.ts lists the exit codes.
const WRONG_SETTING = 2;
const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);

// SIGUSR1 would open Node's inspector, through which every account of the machine could read API keys and run code. The
// processes that are started later get the flag.
process.on('SIGUSR1', () => {});
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --disable-sigusr1`;

if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(
    `animal-store: needs Node ${OLDEST} or later, and this is Node ${node}: install a newer one from https://nodejs.org\n`,
  );
  process.exitCode = WRONG_SETTING;
} else {
  if (major > NEWEST)
    process.stderr.write(
      `animal-store: tested with Node ${OLDEST} to ${NEWEST} only, and this is Node ${node}\n`,
    );
  // Compiled code is cached for the next start, before anything is loaded: it saves a third of the CPU time. The processes
  // and threads that are started later use the same folder.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/animal-store');
  module.enableCompileCache();
  const sources = new URL('../src/main.ts', import.meta.url);
  await import(existsSync(sources) ? sources.href : '../dist/main.js');
  module.flushCompileCache();
}
