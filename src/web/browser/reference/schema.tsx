import type { ComponentChildren, JSX } from 'preact';
import { type Header, type OpenApi, resolve, type Schema, schemaName } from './document.ts';
import { printed } from './exact-json.ts';
import { heading, isNewer, type Links, richDetails, richText, stability } from './prose.tsx';

/** The type of a value in a few words; a named one is a link. */
export function typeName(schema: Schema): ComponentChildren {
  const name = schemaName(schema);
  if (name !== undefined) return <a href={`#schema-${name}`}>{name}</a>;
  if (schema.type === 'array') return ['array of ', typeName(schema.items ?? {})];
  if (schema.anyOf) return schema.anyOf.map((one, index) => [index > 0 ? ' or ' : '', typeName(one)]);
  return [schema.type ?? 'any', schema.format ? `, ${schema.format}` : ''];
}

/** What a value must be beyond its type. */
function constraints(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = { ...schema.anyOf?.[0], ...schema };
  const range = (from: unknown, to: unknown, of: string) => {
    const unit = of && ` ${of}${(to ?? from) === 1 ? '' : 's'}`;
    if (from !== undefined && to !== undefined) return `${grouped(from)} to ${grouped(to)}${unit}`;
    if (to !== undefined) return `up to ${grouped(to)}${unit}`;
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
  /** Whether it gets the mark of something newer than what it belongs to. */
  readonly isNewer: boolean;
  readonly description: string | undefined;
}

/** Fields, parameters or headers under a heading. Nothing if there are none. */
export function fieldList(
  title: string,
  fields: readonly Field[],
  document: OpenApi,
  links: Links,
): JSX.Element | null {
  if (fields.length === 0) return null;
  return (
    <>
      {title === '' ? null : <h3>{title}</h3>}
      <dl class="params">
        {fields.map(({ id, name, required, schema, isNewer, description }) => {
          const resolved = resolve(document, schema);
          const limits = constraints({ ...resolved, ...schema });
          return (
            <>
              <dt id={id}>
                <code>
                  {name}
                  {isNewer ? <abbr title="Experimental"> °</abbr> : null}
                </code>
                <span class="quiet">
                  {typeName(schema)}
                  {required ? ', required' : ''}
                </span>
              </dt>
              {richDetails(description ?? resolved.description, links)}
              {limits === '' ? null : (
                <dd>
                  <small class="id">{limits}</small>
                </dd>
              )}
            </>
          );
        })}
      </dl>
    </>
  );
}

export const schemaFields = (schema: Schema): Field[] =>
  Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    required: schema.required?.includes(name) ?? false,
    schema: property,
    isNewer: isNewer(property),
    description: property.description,
  }));

/** The description of a parameter or header, with its example. */
export const withExample = (one: { readonly description?: string; readonly example?: unknown }): string =>
  `${one.description ?? ''}${one.example === undefined ? '' : ` For example \`${printed(one.example)}\`.`}`;

export const headerField = (name: string, header: Header): Field => ({
  name,
  required: false,
  schema: header.schema ?? {},
  isNewer: false,
  description: withExample(header),
});

interface SchemaSectionProps {
  readonly name: string;
  readonly schema: Schema;
  readonly api: OpenApi;
  readonly links: Links;
}

/** The section of a schema, where links to it lead. It is not a landmark: there are many, and some have the name of a guide. */
export function SchemaSection({ name, schema, api, links }: SchemaSectionProps): JSX.Element {
  const limits = constraints(schema);
  return (
    <section class="schema" id={`schema-${name}`}>
      <div class="words">
        {heading(`schema-${name}`, name, stability(schema))}
        {richText(schema.description, links)}
        {schema.properties ? (
          fieldList('', schemaFields(schema), api, links)
        ) : (
          <p class="quiet">
            {typeName(schema)}
            {limits === '' ? '' : `: ${limits}`}
          </p>
        )}
      </div>
    </section>
  );
}
