import type { openapi } from '../src/contract/openapi/document.ts';

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** The bounds of every parameter of a query and every field of a body, as rows of a table: the field, its bounds, the operations that take it. */
export function fieldLimits(document: ReturnType<typeof openapi>): string[] {
  const { paths, components } = document as unknown as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const rows = new Map<string, Set<string>>();
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
    const bodies = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema);
    const fields = [
      ...parameters.map(({ name, schema }): [string, Schema] => [`?${name}=`, schema]),
      ...bodies.flatMap(({ $ref = '' }) =>
        Object.entries(components.schemas[$ref.split('/').at(-1) ?? '']?.properties ?? {}),
      ),
    ];
    for (const [name, schema] of fields) {
      const bounds = boundsOf(schema);
      if (bounds === undefined) continue;
      const row = `\`${name}\` | ${bounds}`;
      rows.set(row, (rows.get(row) ?? new Set()).add(operation.operationId));
    }
  }
  return [...rows].map(([row, operations]) => `| ${row} | ${[...operations].join(', ')} |`);
}

/** In words; undefined if nothing but the type bounds it. */
function boundsOf(schema: Schema): string | undefined {
  const { maxLength, maxItems, maximum } = schema;
  if (maxLength !== undefined)
    return `${schema.minLength ?? 0} to ${maxLength.toLocaleString('en-US')} characters`;
  if (maxItems !== undefined) return `${schema.minItems ?? 0} to ${maxItems} values`;
  if (maximum !== undefined)
    return `${schema.minimum ?? 0} to ${maximum}; ${schema.default} if it is not given`;
  return schema.anyOf?.map(boundsOf).find((bounds) => bounds !== undefined);
}
