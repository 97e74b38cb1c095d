import {
  entriesOf,
  jsonOf,
  mediaExamples,
  type OpenApi,
  type Operation,
  type Response,
  resolve,
} from '../document.ts';

/** An error that the service can answer with. */
export interface ErrorCode {
  readonly code: string;
  readonly status: string;
  readonly meaning: string;
}

/** Every error that an operation documents, with the operations that have it. */
export function errorCodes(api: OpenApi): (ErrorCode & { readonly operations: readonly string[] })[] {
  const found = new Map<string, ErrorCode & { operations: string[] }>();
  for (const { operation } of entriesOf(api))
    for (const one of errorsOf(api, operation.responses ?? {})) {
      const known = found.get(one.code) ?? { ...one, operations: [] };
      known.operations.push(operation.operationId);
      found.set(one.code, known);
    }
  return [...found.values()].toSorted((a, b) => a.status.localeCompare(b.status));
}

/** The errors among the responses of one operation. */
export function errorsOf(api: OpenApi, responses: NonNullable<Operation['responses']>): ErrorCode[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const media = jsonOf(resolve<Response>(api, response).content);
    if (!/^[45]/.test(status) || !media) return [];
    return mediaExamples(media).map(([code, value]) => ({
      code,
      status,
      meaning: String((value as { message?: unknown }).message ?? ''),
    }));
  });
}

/** The errors that every operation has: they are listed in the guide alone. */
export function commonCodes(api: OpenApi): ReadonlySet<string> {
  const all = entriesOf(api).length;
  return new Set(
    errorCodes(api).flatMap(({ code, operations }) => (operations.length === all ? [code] : [])),
  );
}
