import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import { type GenericSchema, getDescription } from 'valibot';
import { Categories, Category, CategoryName, NewCategory } from '../category.ts';
import { ErrorBody } from '../errors.ts';
import { Event, Events, EventType, FieldsBefore, ImportSummary } from '../event.ts';
import { eventId } from '../event-id.ts';
import {
  CreatedKey,
  CurrentKey,
  Key,
  KeyRotation,
  KeyScope,
  Keys,
  KeyUpdate,
  NewKey,
  RotatedKey,
} from '../key.ts';
import { Inventory, NewOrder, Order, OrderStatus, Orders, OrderUpdate } from '../order.ts';
import { exampleIds } from '../parameters.ts';
import { ListedPet, NewPet, NewPets, Pet, PetStatus, Pets, PetUpdate } from '../pet.ts';

export const EXPERIMENTAL = { 'x-stability': 'experimental' } as const;

const specified = { PetStatus, NewPet, Pet, Pets, Error: ErrorBody };
const experimental = {
  ListedPet,
  NewCategory,
  CategoryName,
  Category,
  Categories,
  NewPets,
  PetUpdate,
  OrderStatus,
  NewOrder,
  OrderUpdate,
  Order,
  Orders,
  Inventory,
  EventType,
  FieldsBefore,
  ImportSummary,
  Event,
  Events,
  KeyScope,
  NewKey,
  KeyUpdate,
  Key,
  Keys,
  CreatedKey,
  KeyRotation,
  RotatedKey,
  CurrentKey,
};
const named = { ...specified, ...experimental };
const conversion = {
  target: 'draft-2020-12',
  errorMode: 'ignore',
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
} as const;

const newPet = { name: 'Rex', categoryId: exampleIds.petCategory };
const pet = { id: exampleIds.pet, ...newPet, status: 'available' };
const inventory = { available: 12, pending: 3, sold: 40 };
const newCategory = { name: 'Horses' };
const category = { id: exampleIds.category, ...newCategory, inventory };
const newOrder = { petId: exampleIds.pet, note: 'Ms Lee, Friday' };
const order = {
  id: exampleIds.order,
  petId: exampleIds.pet,
  status: 'placed',
  note: newOrder.note,
  createdAt: '2026-11-15T09:00:00.000Z',
  createdBy: 'Web shop',
  updatedAt: '2026-11-15T09:00:00.000Z',
};
const changedAt = '2026-11-15T10:30:00.000Z';
const event = {
  id: eventId({ id: 2n, at: new Date(changedAt) }),
  type: 'pet.updated',
  at: changedAt,
  keyId: '1',
  keyName: 'Web shop',
  pet: { ...pet, name: 'Rexona' },
  before: { name: 'Rex' },
};
const newKey = { name: 'till 3', scopes: ['pets:read', 'store:write'] };
const key = { id: exampleIds.key, ...newKey, createdAt: '2026-11-15T09:00:00.000Z', createdBy: '1' };
const secret = { key: 'anst_…' };
const examples = new Map<GenericSchema, unknown>([
  [NewPet, newPet],
  [Pet, pet],
  [Pets, [pet]],
  [NewPets, { pets: [newPet] }],
  [PetUpdate, { name: 'Rexona' }],
  [NewCategory, newCategory],
  [Category, category],
  [Categories, [category]],
  [NewOrder, newOrder],
  [OrderUpdate, { status: 'completed', note: 'Ms Lee, paid' }],
  [Order, order],
  [Orders, [order]],
  [Event, event],
  [Events, [event]],
  [Inventory, inventory],
  [NewKey, newKey],
  [KeyUpdate, { name: 'till 4' }],
  [Key, key],
  [Keys, [key]],
  [CreatedKey, { ...key, ...secret }],
  [KeyRotation, { overlap: '24h' }],
  [
    RotatedKey,
    {
      ...{ ...key, id: '3', createdAt: '2026-12-15T09:00:00.000Z', ...secret },
      replaces: { ...key, expiresAt: '2026-12-16T09:00:00.000Z', replacedBy: '3', rotatedBy: '1' },
    },
  ],
  [CurrentKey, { id: exampleIds.key, ...newKey }],
]);

/** Fields that an example of an answer gets because of the request. */
const consequences = new Map<GenericSchema, object>([
  [NewCategory, { inventory: { available: 0, pending: 0, sold: 0 } }],
  [OrderUpdate, { updatedAt: changedAt, completedAt: changedAt, completedBy: 'till 3' }],
  [KeyUpdate, { changedBy: '1' }],
]);

/** Every named schema of the interface, as JSON Schema. */
export function componentSchemas(): Record<string, unknown> {
  const schemas = Object.entries(toJsonSchemaDefs(named, conversion));
  return Object.fromEntries(
    schemas.map(([name, schema]) => [
      name,
      {
        ...(name === 'Pet' ? schema : withDescribedDefaults(schema)),
        ...(name in experimental && EXPERIMENTAL),
      },
    ]),
  );
}

/**
 * Describes a default in words where it would be next to a `$ref`: client generators treat such a field as a required
 * one. That is wrong for what a client sends, and right for a Pet, whose status is in every response.
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

/** The example of an answer to the example of a request: what was sent is what comes back. */
export function answerExample(answer: GenericSchema, body: GenericSchema | undefined): unknown {
  const example = examples.get(answer);
  const sent = body && (examples.get(body) as Record<string, unknown> | undefined);
  if (sent === undefined) return example;
  const [several] = Object.values(sent).filter(Array.isArray);
  if (Array.isArray(example))
    return several?.map((one, index) => ({ ...example[0], ...one, id: example[0].id + index }));
  const returned = Object.entries(sent).filter(([field]) => field in (example as object));
  return {
    ...(example as object),
    ...Object.fromEntries(returned),
    ...consequences.get(body as GenericSchema),
  };
}

/** A body of this schema, with its example, or with examples by name. */
export function content(
  schema: GenericSchema,
  byName?: Record<string, unknown>,
  example = examples.get(schema),
) {
  const shown = byName ? { examples: byName } : example !== undefined && { example };
  return { 'application/json': { schema: reference(schema), ...shown } };
}
