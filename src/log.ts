/** Where the lines of the log go, each JSON with its line end. `write` never throws and never blocks. */
export interface LogOutput {
  write(line: string): void;
}

/** The severities, as the numbers that log viewers for pino's format know. */
export const levels = { info: 30, warn: 40, error: 50 } as const;
export type Level = keyof typeof levels;

type Fields = Readonly<Record<string, unknown>>;

/** The log of the service: one JSON object per line. An Error in `err` is written with its stack and its causes. */
export interface Log extends Readonly<Record<Level, (fields: Fields, message: string) => void>>, LogOutput {
  enabled(level: Level): boolean;
  /** Removes API keys, those that are configured and anything that looks like one, from text of clients that is passed to `write`. */
  readonly mask: (text: string) => string;
}

const API_KEY = /anst_\w+/g;

function keyMask(configured: readonly string[]): (text: string) => string {
  // Each key as it is, and as it is written in JSON.
  const secrets = configured.flatMap((key) => [key, JSON.stringify(key).slice(1, -1)]);
  return (text) => {
    let masked = text.includes('anst_') ? text.replace(API_KEY, 'anst_…') : text;
    for (const secret of secrets) if (masked.includes(secret)) masked = masked.replaceAll(secret, '…');
    return masked;
  };
}

/** A log that drops what is below `lowest`. No line contains an API key, wherever a client or an operator put it. */
export function createLog(
  output: LogOutput,
  lowest: Level = 'info',
  configuredKeys: readonly string[] = [],
): Log {
  const mask = keyMask(configuredKeys);
  const enabled = (level: Level) => levels[level] >= levels[lowest];
  const at = (level: Level) => (fields: Fields, message: string) => {
    if (enabled(level)) output.write(mask(lineOf(levels[level], fields, message)));
  };
  return {
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    enabled,
    mask,
    write: (line: string) => output.write(line),
  };
}

function lineOf(level: number, fields: Fields, message: string): string {
  const line = { level, time: new Date().toISOString(), ...fields, msg: message };
  return `${JSON.stringify(line, (_key, value) => plain(value))}\n`;
}

/** The properties of an error that are logged. Others may contain a secret or a client's data: connection options, values. */
const DETAILS = ['code', 'errno', 'errcode', 'errstr', 'syscall', 'address', 'port', 'severity', 'routine'];

function detailsOf(error: Error): Fields {
  return Object.fromEntries(Object.entries(error).filter(([key]) => DETAILS.includes(key)));
}

/** Converts what JSON.stringify rejects (a bigint) or leaves out (the message and stack of an error). */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}`;
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { ...detailsOf(value), type: name, message, stack, ...(cause !== undefined && { cause }) };
}

/** Returns a function that returns true on its first call, and then at most once every `ms`. It limits how often something is logged. */
export function atMostEvery(ms: number): () => boolean {
  let next = 0;
  return () => {
    const now = performance.now();
    if (now < next) return false;
    next = now + ms;
    return true;
  };
}

/** Characters that move the cursor, control the terminal, or change the direction of a line. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Escapes the control characters of a line as JSON does, so that a line of JSON keeps its meaning. */
export const visible = (line: string): string => line.replace(CONTROL, unicodeEscape);

/** Escapes a UTF-16 code unit as JSON and JavaScript do: `\u0007`. */
export const unicodeEscape = (unit: string): string =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
