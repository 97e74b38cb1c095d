import { levels, unicodeEscape } from '../log.ts';

type Fields = Readonly<Record<string, unknown>>;

const VISIBLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;
const NO_SPACE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u;
const INVISIBLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
const names = new Map<unknown, string>(
  Object.entries(levels).map(([name, level]) => [level, name.toUpperCase().padEnd(5)]),
);

/** A JSON line of the log as a line for people: time, level, message, then the other fields as key=value. */
export function formatForTerminal(line: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as Fields;
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const text = msg === 'request' ? request(fields) : `${plain(msg)}${pairs(fields)}`;
  return `${clock} ${names.get(level) ?? plain(level)} ${text}${error(err)}\n`;
}

/** For example `200 GET listPets 1.2 ms keyId=1 requestId=…`. */
function request({ status, method, operation, path, ms, ...fields }: Fields): string {
  const target = plain(operation ?? path ?? '-');
  // What never became a request has no method.
  const what = method === undefined ? target : `${plain(method)} ${target} ${Number(ms).toFixed(1)} ms`;
  return `${plain(status)} ${what}${pairs(fields)}`;
}

const pairs = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => ` ${name}=${plain(value, NO_SPACE)}`)
    .join('');

/** Visible text is shown as it is. Anything else is JSON, so that no value can start a line or move the cursor. */
function plain(value: unknown, bare = VISIBLE): string {
  if (typeof value === 'string' && bare.test(value)) return value;
  const json = JSON.stringify(value) ?? '';
  return json.replace(INVISIBLE, unicodeEscape);
}

/** The stack of an error and of its causes, on separate lines. */
function error(err: unknown): string {
  if (typeof err !== 'object' || err === null) return err === undefined ? '' : ` err=${plain(err)}`;
  const { stack, cause } = err as Fields;
  const lines = typeof stack === 'string' ? stack.split('\n') : [plain(err)];
  return lines.map((line) => `\n    ${plain(line.trim())}`).join('') + error(cause);
}
