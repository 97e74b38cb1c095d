/** A call, as it is sent and as it is shown to others. */
export interface Call {
  readonly method: string;
  readonly url: string;
  /** Without the API key, which never gets into a snippet. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact text of the body. */
  readonly body: string | undefined;
}

const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The call as a line for a shell that has the key in API_KEY. */
export function curlSnippet({ method, url, headers, body }: Call): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shell(url)}`,
    '-H "Authorization: Bearer $API_KEY"',
    ...Object.entries(headers).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    // Unlike --data, it never reads a file, also when the body begins with @.
    ...(body === undefined ? [] : [`--data-raw ${shell(body)}`]),
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
