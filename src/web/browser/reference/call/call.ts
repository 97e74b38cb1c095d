import type { Entry, Parameter } from '../document.ts';
import { printed } from '../exact-json.ts';

/** A call, as it is sent and as it is shown to others. */
export interface Call {
  readonly method: string;
  readonly url: string;
  /** Without the API key, which never gets into a snippet. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact text of the body. */
  readonly body: string | undefined;
}

interface Filled {
  /** The URL that paths begin with. */
  readonly base: string;
  readonly parameters: readonly Parameter[];
  /** By the name of the parameter. A list takes several values, separated by commas. */
  readonly values: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The call with these values. A required parameter without a value has its example, so that the call can be sent. */
export function buildCall({ method, path }: Entry, { base, parameters, values, body }: Filled): Call {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let target = path;
  for (const { name, in: place, required, schema, example } of parameters) {
    const value = values[name] || (required ? printed(example ?? name) : '');
    if (value === '') continue;
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
    if (place === 'header') headers[name] = value;
    if (place !== 'query') continue;
    const list = schema?.type === 'array' ? value.split(',').map((one) => one.trim()) : [value];
    for (const one of list) query.append(name, one);
  }
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const search = `${query}`.replaceAll('+', '%20');
  return { method, url: `${base}${target}${search && `?${search}`}`, headers, body };
}

const PLAIN = /^[\w:/.@%-]+$/;
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The call as a shell command, to be pasted with a key in place of the dots. `flags` are those of curl. */
export function curlSnippet({ method, url, headers, body }: Call, flags: readonly string[] = []): string {
  const command = [
    'curl',
    ...flags,
    ...(method === 'GET' ? [] : ['-X', method]),
    PLAIN.test(url) ? url : quoted(url),
  ];
  const lines = [
    command.join(' '),
    '-H "Authorization: Bearer $API_KEY"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    // Unlike --data, it never reads a file, even if the body begins with @.
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return `API_KEY='…'\n${lines.join(' \\\n  ')}`;
}

const script = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** The call in JavaScript. It shows the text of the answer, because JSON.parse would round large identifiers. */
export function fetchSnippet({ method, url, headers, body }: Call): string {
  const sent = Object.entries(headers).map(([name, value]) => `    ${script(name)}: ${script(value)},`);
  const authorization = `Authorization: \`Bearer \${apiKey}\``;
  const lines = [
    "const apiKey = '…'",
    `const url = ${script(url)}`,
    'const answer = await fetch(url, {',
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(sent.length === 0
      ? [`  headers: { ${authorization} },`]
      : ['  headers: {', `    ${authorization},`, ...sent, '  },']),
    ...(body === undefined ? [] : [`  body: ${script(body)},`]),
    '})',
    'console.log(answer.status, await answer.text())',
  ];
  return lines.join('\n');
}
