import { readConfig, UsageError } from '../config.ts';
import { type Command, describeFlags } from './command.ts';
import { type Io, print } from './io.ts';
import { parseFlags } from './parse-flags.ts';

/** Each is loaded when it is called, so that none waits for code that it does not use. */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serve,
  'keys create': async () => (await import('./keys.ts')).createKey,
  'keys list': async () => (await import('./keys.ts')).listKeys,
  'keys update': async () => (await import('./keys.ts')).updateKey,
  'keys revoke': async () => (await import('./keys.ts')).revokeKey,
  'keys rotate': async () => (await import('./keys.ts')).rotateKey,
  'categories merge': async () => (await import('./categories-merge.ts')).mergeCategories,
  import: async () => (await import('./import.ts')).importCommand,
  export: async () => (await import('./export.ts')).exportCommand,
  seed: async () => (await import('./seed.ts')).seed,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./backup.ts')).restore,
  doctor: async () => (await import('./doctor.ts')).doctor,
  move: async () => (await import('./move.ts')).move,
  openapi: async () => (await import('./openapi.ts')).openapiCommand,
};

const VERSION = ['--version', '-v', '-V', 'version'];
const HELP = ['--help', '-h', 'help'];

export async function run(given: readonly string[], io: Io): Promise<void> {
  const [first = '', ...others] = given;
  if (others.length === 0 && VERSION.includes(first)) {
    const { packageVersion } = await import('../serve/banner.ts');
    return print(io, packageVersion());
  }
  const argv = first === 'help' && others.length > 0 ? [...others, '--help'] : given;
  const name = Object.keys(commands).find((words) => words.split(' ').every((word, i) => argv[i] === word));
  const command = name === undefined ? undefined : await commands[name]?.();
  if (name === undefined || !command) return overview(argv, io);
  const rest = argv.slice(name.split(' ').length);
  const { flags, positionals } = parseFlags(rest, command.settings, command.flags);
  if (flags.help) return print(io, ...helpFor(name, command).split('\n'));
  const required = command.positionals.filter((positional) => !positional.startsWith('['));
  if (positionals.length < required.length || positionals.length > command.positionals.length) {
    throw new UsageError(`usage: ${usage(name, command)} (see animal-store ${name} --help)`);
  }
  const config = readConfig(command.settings, flags, io.env);
  await command.run({ config, flags, positionals, io });
}

/** Lists the commands: those that begin with the first word, such as `keys`, or all of them. */
async function overview(argv: readonly string[], io: Io): Promise<void> {
  const all = Object.keys(commands);
  const group = all.filter((name) => name.startsWith(`${argv[0]} `));
  const names = group.length > 0 ? group : all;
  const asksForHelp = HELP.includes(argv.at(-1) ?? '') && argv.length === (group.length > 0 ? 2 : 1);
  if (!asksForHelp) throw noSuchCommand(argv, group.length > 0 ? `${argv[0]} --help` : '--help');
  print(io, 'animal-store: a pet store inventory service over HTTP and JSON', '');
  const width = Math.max(...names.map((name) => name.length));
  for (const name of names) print(io, `  ${name.padEnd(width)}  ${(await commands[name]?.())?.summary}`);
  print(io, '', 'Run animal-store COMMAND --help for the flags of a command, or animal-store --version.');
}

/** Names what was typed up to the first flag: what follows may be a secret. */
function noSuchCommand(argv: readonly string[], help: string): UsageError {
  const flag = argv.findIndex((word) => word.startsWith('-'));
  const words = argv.slice(0, flag === -1 ? undefined : flag);
  const given = words.length > 0 ? `there is no command "${words.join(' ')}"` : 'no command was given';
  return new UsageError(`${given}: animal-store ${help} lists the commands`);
}

function helpFor(name: string, command: Command): string {
  const about = command.details === undefined ? command.summary : `${command.summary}\n\n${command.details}`;
  return `${usage(name, command)}\n${about}\n\n${describeFlags(command.settings, command.flags)}`;
}

const usage = (name: string, { positionals }: Command): string =>
  ['animal-store', name, ...positionals, '[flags]'].join(' ');
