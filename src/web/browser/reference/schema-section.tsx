import type { JSX } from 'preact';
import type { OpenApi, Schema } from './document.ts';
import { heading, stability } from './marks.tsx';
import { type Links, richText } from './rich-text.tsx';
import { constraints, fieldRows, schemaFields, typeName } from './schema-view.tsx';

interface SchemaSectionProps {
  readonly name: string;
  readonly schema: Schema;
  readonly api: OpenApi;
  readonly links: Links;
}

/** A schema by itself, where links to it lead. It is no landmark: there are many, and some have the name of a guide. */
export function SchemaSection({ name, schema, api, links }: SchemaSectionProps): JSX.Element {
  const limits = constraints(schema);
  return (
    <article class="schema" id={`schema-${name}`} aria-labelledby={`schema-${name}-title`}>
      {heading(`schema-${name}`, name, stability(schema))}
      {richText(schema.description, links)}
      {schema.properties ? (
        fieldRows(schemaFields(schema), api, links)
      ) : (
        <p class="limits">
          {typeName(schema)}
          {limits ? ` · ${limits}` : ''}
        </p>
      )}
    </article>
  );
}
