import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';

/** Comments on lines of their own: half of the text, and of no use to a browser. */
const COMMENTS = /^[ \t]*(?:\/\/.*|\/\*\*[\s\S]*?\*\/[ \t]*)\n/gm;
const BLANK_LINES = /\n\s*(?=\n)/g;
const SOURCE_MAP = /^\/\/# sourceMappingURL=.*$/gm;

/** The JavaScript of a module, whether it is TypeScript of ours or a file of a package. */
export async function readModule(url: URL): Promise<string> {
  const text = await readFile(url, 'utf8');
  if (!url.pathname.endsWith('.ts')) return text.replace(SOURCE_MAP, '');
  return withoutWarning(() => stripTypeScriptTypes(text.replace(COMMENTS, ''))).replace(BLANK_LINES, '');
}

/** Node warns that stripping types by a call is experimental. An operator can do nothing about it. */
function withoutWarning<T>(call: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return call();
  } finally {
    process.emitWarning = emitWarning;
  }
}
