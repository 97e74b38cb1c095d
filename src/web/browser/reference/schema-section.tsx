import type { JSX } from 'preact';
import type { OpenApi, Schema } from './document.ts';
import { heading, marks } from './marks.tsx';
import { type Links, richText } from './rich-text.tsx';
import { constraints, fieldRows, schemaFields, typeName } from './schema-view.tsx';

interface SchemaSectionProps {
  readonly name: string;
  readonly schema: Schema;
  readonly api: OpenApi;
  readonly links: Links;
}

/** A schema by itself, where links to it lead. */
export function SchemaSection({ name, schema, api, links }: SchemaSectionProps): JSX.Element {
  const limits = constraints(schema);
  return (
    <section class="schema" id={`schema-${name}`} aria-labelledby={`schema-${name}-title`}>
      {heading(`schema-${name}`, name, marks(schema))}
      {richText(schema.description, links)}
      {schema.properties ? (
        fieldRows(schemaFields(schema), api, links)
      ) : (
        <p class="limits">
          {typeName(schema)}
          {limits ? ` · ${limits}` : ''}
        </p>
      )}
    </section>
  );
}
