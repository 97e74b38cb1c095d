import { type Element, h } from '../shared/element.ts';
import type { OpenApi, Schema } from './document.ts';
import { heading } from './heading.ts';
import { marks } from './marks.ts';
import { type Links, richText } from './rich-text.ts';
import { constraints, fieldRows, schemaFields, typeName } from './schema-view.ts';

interface SchemaSectionProps {
  readonly name: string;
  readonly schema: Schema;
  readonly api: OpenApi;
  readonly links: Links;
}

/** A schema by itself, where links to it lead. */
export function SchemaSection({ name, schema, api, links }: SchemaSectionProps): Element {
  const limits = constraints(schema);
  return h(
    'section',
    { class: 'schema', id: `schema-${name}`, 'aria-labelledby': `schema-${name}-title` },
    heading(`schema-${name}`, name, marks(schema)),
    richText(schema.description, links),
    schema.properties
      ? fieldRows(schemaFields(schema), api, links)
      : h('p', { class: 'limits' }, typeName(schema), limits ? ` · ${limits}` : ''),
  );
}
