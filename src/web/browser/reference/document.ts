import { printed, printShort } from './exact-json.ts';

interface Server {
  readonly url: string;
  readonly description?: string;
}

/** The parts of an OpenAPI 3.1 document that this page shows. */
export interface OpenApi {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary?: string;
    readonly description?: string;
  };
  readonly servers?: readonly Server[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly headers?: Readonly<Record<string, Header | Reference>>;
    readonly securitySchemes?: Readonly<Record<string, { readonly description?: string }>>;
  };
}

interface Marked {
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly 'x-stability'?: string;
}

export interface Operation extends Marked {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly 'x-deprecated-sunset'?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required?: boolean; readonly content?: Content };
  readonly responses?: Readonly<Record<string, Response | Reference>>;
}

export interface Parameter extends Marked {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Response extends Marked {
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Content;
}

export interface Header extends Marked {
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

type Content = Readonly<Record<string, Media>>;

interface Reference {
  readonly $ref: string;
}

export interface Schema extends Marked {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly minLength?: unknown;
  readonly maxLength?: unknown;
  readonly minItems?: unknown;
  readonly maxItems?: unknown;
}

/** An operation with its place in the document. */
export interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** What `$ref` points to within the document. A value without `$ref` is returned as it is. */
export function resolve<T extends object>(document: OpenApi, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const path = value.$ref.replace(/^#\//, '').split('/');
  let found: unknown = document;
  for (const step of path)
    found = (found as Record<string, unknown> | undefined)?.[
      step.replaceAll('~1', '/').replaceAll('~0', '~')
    ];
  return (found ?? {}) as T;
}

/** Every operation, in the order of the document. */
export function entriesOf(document: OpenApi): Entry[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

export const parametersOf = (document: OpenApi, { parameters = [] }: Operation): Parameter[] =>
  parameters.map((parameter) => resolve<Parameter>(document, parameter));

export const entryOf = (document: OpenApi, id: string): Entry | undefined =>
  entriesOf(document).find(({ operation }) => operation.operationId === id);

/** The text of the example of a request body; undefined for an operation without a body. */
export function bodyExample({ requestBody }: Operation): string | undefined {
  const media = jsonOf(requestBody?.content);
  if (!media) return undefined;
  const [first] = mediaExamples(media);
  return printShort(first?.[1] ?? {});
}

/** The example of a response header. */
export function headerExample(document: OpenApi, name: string): string {
  const header = document.components?.headers?.[name];
  return header ? printed(resolve<Header>(document, header).example ?? '') : '';
}

export const schemaName = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

/** The JSON content of a request or response; undefined if it has none. */
export const jsonOf = (content: Content | undefined): Media | undefined => content?.['application/json'];

export const mediaExamples = ({ example, examples }: Media): [string, unknown][] =>
  example === undefined
    ? Object.entries(examples ?? {}).map(([name, { value }]) => [name, value])
    : [['', example]];

/** An error that the service can answer with. */
interface ErrorCode {
  readonly code: string;
  readonly status: string;
  readonly meaning: string;
}

/** The errors among the responses of one operation. */
export function errorsOf(document: OpenApi, { responses = {} }: Operation): ErrorCode[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const media = jsonOf(resolve<Response>(document, response).content);
    if (!/^[45]/.test(status) || !media) return [];
    return mediaExamples(media).map(([code, value]) => ({
      code,
      status,
      meaning: String((value as { message?: unknown }).message ?? ''),
    }));
  });
}

/** Every error that an operation documents, and whether all operations have it. */
export function errorCodes(document: OpenApi): (ErrorCode & { readonly isCommon: boolean })[] {
  const entries = entriesOf(document);
  const byCode = Map.groupBy(
    entries.flatMap(({ operation }) => errorsOf(document, operation)),
    ({ code }) => code,
  );
  return [...byCode.values()]
    .flatMap(([first, ...others]) =>
      first ? [{ ...first, isCommon: others.length === entries.length - 1 }] : [],
    )
    .toSorted((a, b) => a.status.localeCompare(b.status));
}
