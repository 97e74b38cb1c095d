import type { ComponentChildren, JSX } from 'preact';
import { type OpenApi, resolve, type Schema, schemaName } from './document.ts';
import { printed } from './exact-json.ts';
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
    const unit = of && ` ${of}${(to ?? from) === 1 ? '' : 's'}`;
    if (from !== undefined && to !== undefined) return `${grouped(from)} to ${grouped(to)}${unit}`;
    if (to !== undefined) return `at most ${grouped(to)}${unit}`;
    return from === undefined ? '' : `at least ${grouped(from)}${unit}`;
  };
  return [
    schema.enum ? schema.enum.map(printed).join(', ') : '',
    range(minimum, maximum, ''),
    range(minLength, maxLength, 'character'),
    range(minItems, maxItems, 'item'),
    schema.default === undefined ? '' : `default ${printed(schema.default)}`,
  ]
    .filter((text) => text !== '')
    .join(', ');
}

/** A number for people, such as 1,000. One beyond the exact integers of JavaScript is not a number here, and stays as it is. */
const grouped = (value: unknown): string =>
  typeof value === 'number' ? value.toLocaleString('en') : printed(value);

export interface Field {
  /** Where links to it lead, if any do. */
  readonly id?: string;
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly marked: Parameters<typeof newer>[0];
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
          <div class="field-row" key={field.name} id={field.id}>
            <dt>
              <code class="field-name">{field.name}</code>
              {newer(field.marked)}
              <span class="field-type">{typeName(field.schema)}</span>
              {field.required ? <span class="required">required</span> : null}
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

/** The description of a parameter or header, with its example. */
export const withExample = (one: { readonly description?: string; readonly example?: unknown }): string =>
  `${one.description ?? ''}${one.example === undefined ? '' : ` For example \`${printed(one.example)}\`.`}`;

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
