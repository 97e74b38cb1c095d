import { parseArgs } from 'node:util';
import { type Flags, type SettingName, settings, UsageError } from '../config.ts';
import { shellWord } from '../store/shell-word.ts';
import type { Flag, Invocation } from './command.ts';

const SEE_HELP = '(see --help)';

/** Reads the arguments of a command: the flags of its settings and its own ones. Throws a UsageError for the first that is wrong. */
export function parseFlags(
  args: readonly string[],
  names: readonly SettingName[],
  own: Readonly<Record<string, Flag>>,
): Pick<Invocation, 'flags' | 'positionals'> {
  const known: Record<string, Flag & { short?: string }> = {
    help: { type: 'boolean', short: 'h', meaning: '' },
    ...own,
  };
  for (const name of names) {
    const { flag, meaning } = settings[name];
    if (flag !== undefined) known[flag] = { type: 'string', meaning };
  }
  // Not strict, because its messages do not say what a value means.
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: known,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, index } = token;
    const flag = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!flag) throw unknownFlag(rawName, args[index] ?? rawName);
    checkValue(token, flag, known);
    if (given.has(name) && flag.type === 'string')
      throw new UsageError(`${rawName} is given twice: leave one of them out`);
    given.add(name);
  }
  return { flags: values as Flags, positionals };
}

function unknownFlag(rawName: string, argument: string): UsageError {
  const after = '; an argument that begins with a hyphen follows all flags and two hyphens';
  // Anything but a number may be a secret.
  const hint = rawName.startsWith('--') ? '' : /^-\d+$/.test(argument) ? `${after}: -- ${argument}` : after;
  return new UsageError(`there is no flag ${rawName}${hint} ${SEE_HELP}`);
}

/** `rawName` has the hyphens that were typed; `inlineValue` says that the value follows an equals sign. */
function checkValue(
  {
    rawName,
    value,
    inlineValue,
  }: { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
  { type, meaning }: Flag,
  known: Readonly<Record<string, Flag>>,
): void {
  if (type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value ${SEE_HELP}`);
    return;
  }
  const isFlag = !inlineValue && Object.hasOwn(known, value?.match(/^--([^=]+)/)?.[1] ?? '');
  if (value === undefined || isFlag) throw new UsageError(`${rawName} needs a value: ${meaning} ${SEE_HELP}`);
  if (!inlineValue && /^-./s.test(value))
    throw new UsageError(
      `a value that begins with a hyphen is written with an equals sign: ${rawName}=${shellWord(value)}`,
    );
}
