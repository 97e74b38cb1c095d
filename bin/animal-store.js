#!/usr/bin/env node
// Plain JavaScript, because Node strips no types below node_modules, and because a Node that is too old must be able to
// say so. In a checkout it runs the TypeScript sources; the npm package has only their build.
import { existsSync } from 'node:fs';

const NEEDED = 24;

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  process.stderr.write(
    `animal-store: needs Node ${NEEDED} or later, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org\n`,
  );
  process.exitCode = 1;
} else {
  const sources = new URL('../src/main.ts', import.meta.url);
  await import(existsSync(sources) ? sources.href : '../dist/main.js');
}
