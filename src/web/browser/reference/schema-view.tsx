import type { ComponentChildren, JSX } from 'preact';
import { type OpenApi, resolve, type Schema, schemaName } from './document.ts';
import { printed } from './exact-json.ts';
import type { marks } from './marks.tsx';
import { newer } from './marks.tsx';
import { type Links, richText } from './rich-text.tsx';

/** The type of a value in a few words; a named one is a link. */
export function typeName(schema: Schema): ComponentChildren {
  const name = schemaName(schema);
  if (name !== undefined) return <a href={`#schema-${name}`}>{name}</a>;
  if (schema.type === 'array') return ['array of ', typeName(schema.items ?? {})];
  if (schema.anyOf) return schema.anyOf.map((one, index) => [index > 0 ? ' or ' : '', typeName(one)]);
  return [schema.type ?? 'any', schema.format ? ` (${schema.format})` : ''];
}

/** What a value must be beyond its type. */
export function constraints(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = { ...schema.anyOf?.[0], ...schema };
  const range = (from: unknown, to: unknown, of: string) => {
    if (from !== undefined && to !== undefined) return `${printed(from)} to ${printed(to)}${of}`;
    if (to !== undefined) return `at most ${printed(to)}${of}`;
    return from === undefined ? '' : `at least ${printed(from)}${of}`;
  };
  return [
    schema.enum ? schema.enum.map(printed).join(' | ') : '',
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    schema.default === undefined ? '' : `default ${printed(schema.default)}`,
  ]
    .filter((text) => text !== '')
    .join(' · ');
}

export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly marked: Parameters<typeof marks>[0];
  readonly description: string | undefined;
}

/** Fields, parameters or headers: one row each. */
export function fieldRows(fields: readonly Field[], document: OpenApi, links: Links): JSX.Element {
  return (
    <dl class="fields">
      {fields.map((field) => {
        const resolved = resolve(document, field.schema);
        const limits = constraints({ ...resolved, ...field.schema });
        return (
          <div class="field-row" key={field.name}>
            <dt>
              <code class="field-name">{field.name}</code>
              <span class="field-type">{typeName(field.schema)}</span>
              {field.required ? <span class="required">required</span> : null}
              {newer(field.marked)}
            </dt>
            <dd>
              {richText(field.description ?? resolved.description, links)}
              {limits ? <p class="limits">{limits}</p> : null}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

export function schemaFields(schema: Schema): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    required: schema.required?.includes(name) ?? false,
    schema: property,
    marked: property,
    description: property.description,
  }));
}

/** A schema where it is used: its name, and the fields of the object or of the items. */
export function schemaView(schema: Schema, document: OpenApi, links: Links): JSX.Element {
  const resolved = resolve(document, schema);
  const inner = resolved.type === 'array' && resolved.items ? resolve(document, resolved.items) : resolved;
  const list = resolved.type === 'array' ? [' (array of ', typeName(resolved.items ?? {}), ')'] : null;
  return (
    <div>
      <p class="schema-title">
        {typeName(schema)}
        {list}
      </p>
      {inner.properties ? fieldRows(schemaFields(inner), document, links) : null}
    </div>
  );
}
