const SHARED = /^#\/components\/(parameters|responses)\/(.+)$/;

/** An OpenAPI document with the shared parameters and responses in place of the references to them. */
export function withParts<T extends object>(document: T): T {
  const { components } = document as { components?: Record<string, Record<string, unknown>> };
  return JSON.parse(JSON.stringify(document), (_key, value) => {
    const [, kind = '', name = ''] = SHARED.exec(value?.$ref) ?? [];
    return components?.[kind]?.[name] ?? value;
  });
}
