import type { ComponentChildren } from 'preact';
import { type Element, h } from '../shared/element.ts';
import { type OpenApi, resolve, type Schema, schemaName } from './document.ts';
import { printed } from './exact-json.ts';
import { marks } from './marks.ts';
import { type Links, richText } from './rich-text.ts';

/** The type of a value in a few words; a named one is a link. */
export function typeName(schema: Schema): ComponentChildren {
  const name = schemaName(schema);
  if (name !== undefined) return h('a', { href: `#schema-${name}` }, name);
  if (schema.type === 'array') return ['array of ', typeName(schema.items ?? {})];
  return [schema.type ?? 'any', schema.format ? ` (${schema.format})` : ''];
}

/** What a value must be beyond its type. */
export function constraints(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
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
export function fieldRows(fields: readonly Field[], document: OpenApi, links: Links): Element {
  return h(
    'dl',
    { class: 'fields' },
    fields.map((field) => {
      const resolved = resolve(document, field.schema);
      const limits = constraints({ ...resolved, ...field.schema });
      return h(
        'div',
        { class: 'field-row', key: field.name },
        h(
          'dt',
          null,
          h('code', { class: 'field-name' }, field.name),
          h('span', { class: 'field-type' }, typeName(field.schema)),
          field.required ? h('span', { class: 'required' }, 'required') : null,
          marks(field.marked),
        ),
        h(
          'dd',
          null,
          richText(field.description ?? resolved.description, links),
          limits ? h('p', { class: 'limits' }, limits) : null,
        ),
      );
    }),
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
export function schemaView(schema: Schema, document: OpenApi, links: Links): Element {
  const resolved = resolve(document, schema);
  const inner = resolved.type === 'array' && resolved.items ? resolve(document, resolved.items) : resolved;
  const list = resolved.type === 'array' ? [' (array of ', typeName(resolved.items ?? {}), ')'] : null;
  return h(
    'div',
    null,
    h('p', { class: 'schema-title' }, typeName(schema), list),
    inner.properties ? fieldRows(schemaFields(inner), document, links) : null,
  );
}
