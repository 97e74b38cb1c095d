import * as v from 'valibot';
import { compile, fieldOf } from './compile.ts';
import type { Fields } from './validate.ts';

/**
 * A function that writes an object of this schema as JSON: the fields of the schema in their order, and no others.
 * JSON.stringify refuses a bigint, and it takes twice as long because it has to find out the type of every field.
 */
export function jsonWriter<T>(schema: Fields<T>): (value: T) => string {
  const members = Object.entries(schema.entries).map(([name, field], i) => {
    const { type, isOptional } = unwrapped(field);
    if (i === 0 && isOptional) throw new Error(`${name} is the first field and so cannot be optional`);
    const text = `${JSON.stringify(`${i === 0 ? '' : ','}${JSON.stringify(name)}:`)} + ${valueText(name, type)}`;
    return isOptional ? `(${fieldOf(name)} === undefined ? '' : ${text})` : text;
  });
  return compile(`return '{' + ${members.join(' + ')} + '}'`);
}

/** The type of a field, without the `optional` around it. A field with a default value is always present. */
function unwrapped(field: v.GenericSchema): { type: v.GenericSchema; isOptional: boolean } {
  if (!v.isOfType('optional', field)) return { type: field, isOptional: false };
  const { wrapped, default: value } = field as v.OptionalSchema<v.GenericSchema, unknown>;
  return { type: wrapped, isOptional: value === undefined };
}

/** The JSON text of a field's value, as source text. Only free text needs escaping. */
function valueText(name: string, type: v.GenericSchema): string {
  const value = fieldOf(name);
  const { format } = v.getMetadata(type) as { format?: string };
  if (format === 'int64') return value;
  if (format === 'date-time' || v.isOfType('picklist', type)) return `'"' + ${value} + '"'`;
  if (v.isOfType('string', type)) return `JSON.stringify(${value})`;
  throw new Error(`there is no JSON writer for ${name}, which is of type ${type.type}`);
}
