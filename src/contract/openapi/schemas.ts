import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import { type GenericSchema, getDescription } from 'valibot';
import { ErrorBody } from '../errors.ts';
import { Inventory, NewOrder, Order, OrderStatus, Orders, OrderUpdate } from '../order.ts';
import { NewPet, Pet, PetStatus, Pets } from '../pet.ts';

export const EXPERIMENTAL = { 'x-stability': 'experimental' } as const;

const specified = { PetStatus, NewPet, Pet, Pets, Error: ErrorBody };
const experimental = { OrderStatus, NewOrder, OrderUpdate, Order, Orders, Inventory };
const named = { ...specified, ...experimental };
const conversion = {
  target: 'draft-2020-12',
  errorMode: 'ignore',
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
} as const;

const newPet = { name: 'Rex', categoryId: 7 };
const pet = { id: 1, ...newPet, status: 'available' };
const order = {
  id: 1,
  petId: 1,
  status: 'placed',
  createdAt: '2026-11-15T09:00:00.000Z',
  updatedAt: '2026-11-15T09:00:00.000Z',
};
const examples = new Map<GenericSchema, unknown>([
  [NewPet, newPet],
  [Pet, pet],
  [Pets, [pet]],
  [NewOrder, { petId: 1 }],
  [OrderUpdate, { status: 'completed' }],
  [Order, order],
  [Orders, [order]],
  [Inventory, { available: 12, pending: 3, sold: 40 }],
]);

/** Every named schema of the interface, as JSON Schema. */
export function componentSchemas(): Record<string, unknown> {
  const schemas = Object.entries(toJsonSchemaDefs(named, conversion));
  return Object.fromEntries(
    schemas.map(([name, schema]) => [
      name,
      { ...withDescribedDefaults(schema), ...(name in experimental && EXPERIMENTAL) },
    ]),
  );
}

/**
 * Describes a default in words where it would be next to a `$ref`: client generators treat such a field as a required
 * one.
 */
function withDescribedDefaults(schema: JsonSchema): JsonSchema {
  if (!schema.properties) return schema;
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    if (typeof property === 'boolean' || !property.$ref || property.default === undefined)
      return [name, property];
    const { default: fallback, ...rest } = property;
    return [name, { ...rest, description: `\`${fallback}\` if none is given.` }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** A reference to a named schema, with the description that was added to it, if any; any other schema in full. */
export function reference(schema: GenericSchema): JsonSchema {
  const base = 'pipe' in schema ? (schema.pipe as [GenericSchema])[0] : undefined;
  for (const [name, one] of Object.entries<GenericSchema>(named)) {
    const $ref = `#/components/schemas/${name}`;
    if (one === schema) return { $ref };
    if (one === base) return { $ref, description: getDescription(schema) ?? '' };
  }
  return toJsonSchema(schema, conversion);
}

/** A body of this schema, with its example, or with examples by name. */
export function content(schema: GenericSchema, byName?: Record<string, unknown>) {
  const example = examples.get(schema);
  const shown = byName ? { examples: byName } : example !== undefined && { example };
  return { 'application/json': { schema: reference(schema), ...shown } };
}
