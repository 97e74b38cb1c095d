/** Where the lines of the log go, each JSON with its line end. `write` never throws and never blocks. */
export interface LogOutput {
  write(line: string): void;
}

/** The severities, as the numbers that log viewers for pino's format know. */
export const levels = { debug: 20, info: 30, warn: 40, error: 50 } as const;
export type Level = keyof typeof levels;

type Fields = Readonly<Record<string, unknown>>;

/** The log of the service: one JSON object a line. An Error in `err` is written with its stack and its causes. */
export interface Log extends Readonly<Record<Level, (fields: Fields, message: string) => void>>, LogOutput {
  /** Whether lines of this level are written at all. */
  enabled(level: Level): boolean;
}

/** A log that drops what is below `lowest`. */
export function createLog(output: LogOutput, lowest: Level = 'info'): Log {
  const enabled = (level: Level) => levels[level] >= levels[lowest];
  const at = (level: Level) => (fields: Fields, message: string) => {
    if (enabled(level)) output.write(lineOf(levels[level], fields, message));
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    enabled,
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

/** What JSON would refuse or leave out. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}`;
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { ...detailsOf(value), type: name, message, stack, ...(cause !== undefined && { cause }) };
}
