import * as v from 'valibot';
import type { Fields } from './validate.ts';

/**
 * A function that writes an object of this schema as JSON: the fields of the schema in their order, and no others. JSON.stringify
 * refuses a bigint.
 */
export function jsonWriter<T>(schema: Fields<T>): (value: T) => string {
  const members = Object.entries(schema.entries).map(([name, field], i) => {
    const { type, isOptional } = unwrapped(field);
    if (i === 0 && isOptional) throw new Error(`${name} is the first field and so cannot be optional`);
    const start = `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    return { name: name as keyof T, start, textOf: textOf(name, type) };
  });
  return (value) => {
    let json = '';
    for (const { name, start, textOf } of members) {
      const field = value[name];
      if (field !== undefined) json += start + textOf(field as never);
    }
    return `${json}}`;
  };
}

/** The type of a field, without the `optional` around it. A field with a default value is always present. */
function unwrapped(field: v.GenericSchema): { type: v.GenericSchema; isOptional: boolean } {
  if (!v.isOfType('optional', field)) return { type: field, isOptional: false };
  const { wrapped, default: value } = field as v.OptionalSchema<v.GenericSchema, unknown>;
  return { type: wrapped, isOptional: value === undefined };
}

/** Writes the value of a field. Only free text needs escaping. */
function textOf(name: string, type: v.GenericSchema): (value: never) => string {
  const { format } = v.getMetadata(type) as { format?: string };
  if (format === 'int64') return String;
  if (format === 'date-time' || v.isOfType('picklist', type)) return (value: string) => `"${value}"`;
  if (v.isOfType('string', type)) return (value: string) => JSON.stringify(value);
  throw new Error(`there is no JSON writer for ${name}, which is of type ${type.type}`);
}
