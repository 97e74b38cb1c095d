/** A call, as it is sent and as it is shown to others. */
export interface Call {
  readonly method: string;
  readonly url: string;
  /** Without the API key, which never gets into a snippet. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact text of the body. */
  readonly body: string | undefined;
}

const PLAIN = /^[\w:/.@%-]+$/;
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The call as a command for a shell that has the key in API_KEY. `flags` are those of curl. */
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
  return lines.join(' \\\n  ');
}

const script = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** The call in JavaScript that has the key in `apiKey`. */
export function fetchSnippet({ method, url, headers, body }: Call): string {
  const lines = [
    `const response = await fetch(${script(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    "    Authorization: 'Bearer ' + apiKey,",
    ...Object.entries(headers).map(([name, value]) => `    ${script(name)}: ${script(value)},`),
    '  },',
    ...(body === undefined ? [] : [`  body: ${script(body)},`]),
    '});',
    'console.log(response.status, await response.text());',
  ];
  return lines.join('\n');
}
