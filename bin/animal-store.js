#!/usr/bin/env node
// Plain JavaScript, because Node strips no types below node_modules, and because a Node that is too old must be able to
// say so. In a checkout it runs the TypeScript sources; the npm package has only their build.
import { existsSync } from 'node:fs';
import * as module from 'node:module';
import { join } from 'node:path';

const NEEDED = 24;

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  process.stderr.write(
    `animal-store: needs Node ${NEEDED} or later, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org\n`,
  );
  process.exitCode = 1;
} else {
  // Compiled code is cached for the next start, before anything is loaded: it saves a third of the CPU time. The processes
  // and threads that are started later use the same folder.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/animal-store');
  module.enableCompileCache();
  const sources = new URL('../src/main.ts', import.meta.url);
  await import(existsSync(sources) ? sources.href : '../dist/main.js');
  module.flushCompileCache();
}
