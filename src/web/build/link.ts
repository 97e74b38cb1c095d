import { readModule } from './source.ts';

const AT_STATEMENT = '(?<=^|[;}\\n])';
const FROM = /\s*from\s*["']([^"']+)["'];?/.source;
const IMPORT = new RegExp(`${AT_STATEMENT}import\\s*\\{([^}]*)\\}${FROM}`, 'g');
const RE_EXPORT = new RegExp(`${AT_STATEMENT}export\\s*\\{([^}]*)\\}${FROM}`, 'g');
const EXPORT_LIST = new RegExp(`${AT_STATEMENT}export\\s*\\{([^}]*)\\};?`, 'g');
const EXPORT_DECLARATION = /^export (?=(?:const|class|(?:async )?function\*?) ([\w$]+))/gm;
const LEFT_OVER = /^(?:import|export)\b.*/m;

interface Linked {
  readonly name: string;
  readonly code: string;
}

/**
 * Joins a module and everything it imports into one script, so that a page takes one request and no build step.
 * Every module becomes a function that returns its exports, in the order in which ES modules run. It supports
 * what our code and our packages use: named imports and exports that are not reassigned. Anything else throws.
 */
export async function link(entry: URL): Promise<string> {
  const modules = new Map<string, Promise<Linked>>();
  const ordered: Linked[] = [];

  const load = (url: URL): Promise<Linked> => {
    let module = modules.get(url.href);
    if (!module) {
      module = linkOne(url, `m${modules.size}`);
      modules.set(url.href, module);
    }
    return module;
  };

  const linkOne = async (url: URL, name: string): Promise<Linked> => {
    const text = await readModule(url);
    const names = new Map<string, string>();
    for (const [, , specifier = ''] of [...text.matchAll(IMPORT), ...text.matchAll(RE_EXPORT)]) {
      names.set(specifier, (await load(resolve(specifier, url))).name);
    }
    const linked = { name, code: asFunction(text, name, names, url) };
    ordered.push(linked);
    return linked;
  };

  await load(entry);
  return ordered.map(({ code }) => code).join('\n');
}

const resolve = (specifier: string, from: URL): URL =>
  new URL(specifier.startsWith('.') ? new URL(specifier, from) : import.meta.resolve(specifier));

function asFunction(text: string, name: string, names: ReadonlyMap<string, string>, url: URL): string {
  const exported: string[] = [];
  const body = text
    .replace(IMPORT, (_match, list: string, from: string) => {
      const bindings = pairs(list).map(([theirs, ours]) => (theirs === ours ? ours : `${theirs}:${ours}`));
      return `const {${bindings}} = ${names.get(from)};`;
    })
    .replace(RE_EXPORT, (_match, list: string, from: string) => {
      exported.push(...pairs(list).map(([theirs, as]) => `${as}:${names.get(from)}.${theirs}`));
      return '';
    })
    .replace(EXPORT_LIST, (_match, list: string) => {
      exported.push(...pairs(list).map(([ours, as]) => `${as}:${ours}`));
      return '';
    })
    .replace(EXPORT_DECLARATION, (_match, declared: string) => {
      exported.push(declared);
      return '';
    });
  const unsupported = LEFT_OVER.exec(body);
  if (unsupported) throw new Error(`Cannot link ${url.pathname}: ${unsupported[0]}`);
  return `const ${name} = (() => {\n${body.trim()}\nreturn {${exported}};\n})();`;
}

/** `a, b as c` as [a, a], [b, c]. */
function pairs(list: string): [string, string][] {
  const items = list.split(',').map((item) => item.trim());
  return items
    .filter((item) => item !== '')
    .map((item) => {
      const [from = '', as = from] = item.split(/\s+as\s+/);
      return [from, as];
    });
}
