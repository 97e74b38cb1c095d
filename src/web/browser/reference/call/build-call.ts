import { apiBase } from '../../shared/service.ts';
import type { Entry, Parameter } from '../document.ts';
import { printed } from '../exact-json.ts';
import type { Call } from './snippets.ts';

interface Filled {
  readonly parameters: readonly Parameter[];
  /** By the name of the parameter. A list takes several values, separated by commas. */
  readonly values: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The call with these values. A path parameter without a value has its example, so that the URL is one that can exist. */
export function buildCall({ method, path }: Entry, { parameters, values, body }: Filled): Call {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let target = path;
  for (const { name, in: place, schema, example } of parameters) {
    const value = values[name] ?? '';
    if (place === 'path')
      target = target.replace(
        `{${name}}`,
        encodeURIComponent(value === '' ? printed(example ?? name) : value),
      );
    if (value === '') continue;
    if (place === 'header') headers[name] = value;
    if (place !== 'query') continue;
    const list = schema?.type === 'array' ? value.split(',').map((one) => one.trim()) : [value];
    for (const one of list) query.append(name, one);
  }
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const search = `${query}`.replaceAll('+', '%20');
  return { method, url: `${apiBase.href}${target}${search && `?${search}`}`, headers, body };
}
