import {
  type Entry,
  entriesOf,
  type Header,
  type OpenApi,
  parametersOf,
  resolve,
  type Schema,
} from '../document.ts';
import { printed } from '../exact-json.ts';
import { errorCodes } from './errors.ts';

/** What the guides tell from the document, so that no number and no code is written twice. */
export interface Facts {
  /** A status with its code, such as 401 `unauthorized`. */
  error(code: string): string;
  /** What the document says about the bearer token. */
  readonly bearer: string;
  /** Every scope, as code. */
  readonly scopes: string;
  /** How many items a page has. */
  readonly page: { readonly usual: string; readonly least: string; readonly most: string };
  readonly version: string;
}

export function factsOf(api: OpenApi): Facts {
  const codes = errorCodes(api);
  const list = entryOf(api, 'listPets');
  const limit = list && parametersOf(api, list.operation).find(({ name }) => name === 'limit');
  const { default: usual = '', minimum = '', maximum = '' }: Schema = limit?.schema ?? {};
  const scopes = api.components?.schemas?.KeyScope?.enum ?? [];
  return {
    error: (code) => `${codes.find((one) => one.code === code)?.status ?? ''} \`${code}\``,
    bearer: api.components?.securitySchemes?.apiKey?.description ?? '',
    scopes: scopes.map((scope) => `\`${printed(scope)}\``).join(', '),
    page: { usual: printed(usual), least: printed(minimum), most: printed(maximum) },
    version: api.info.version,
  };
}

/** An operation of the document by its id. */
export const entryOf = (api: OpenApi, id: string): Entry | undefined =>
  entriesOf(api).find(({ operation }) => operation.operationId === id);

/** The example of a response header. */
export function headerExample(api: OpenApi, name: string): string {
  const header = api.components?.headers?.[name];
  return header ? printed(resolve<Header>(api, header).example ?? '') : '';
}
