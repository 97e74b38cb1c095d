import { type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import { Category, CategoryName, NewCategory } from '../src/contract/category.ts';
import { errors } from '../src/contract/errors.ts';
import { Event, EventType, eventContents, FieldsBefore, ImportSummary } from '../src/contract/event.ts';
import {
  CreatedKey,
  CurrentKey,
  Key,
  KeyRotation,
  KeyScope,
  KeyUpdate,
  NewKey,
  RotatedKey,
} from '../src/contract/key.ts';
import { Inventory, NewOrder, Order, OrderStatus, OrderUpdate } from '../src/contract/order.ts';
import { ListedPet, NewPet, Pet, PetStatus, PetUpdate } from '../src/contract/pet.ts';

const received = {
  PetStatus,
  Pet,
  ListedPet,
  Inventory,
  CategoryName,
  Category,
  OrderStatus,
  Order,
  EventType,
  FieldsBefore,
  ImportSummary,
  Event,
  KeyScope,
  CurrentKey,
  Key,
  CreatedKey,
  RotatedKey,
};
const sent = { NewPet, PetUpdate, NewCategory, NewOrder, OrderUpdate, NewKey, KeyUpdate, KeyRotation };

/** Values that the service sends have exact integers, and every field with a default; those that it receives need neither. */
type Direction = 'received' | 'sent';

/**
 * The values of the API as plain TypeScript. The client publishes these types and not those of the contract, which need the
 * validation library to be installed and a recent TypeScript.
 */
export function clientModels(): string {
  const schemas = toJsonSchemaDefs(
    { ...received, ...sent },
    { target: 'draft-2020-12', errorMode: 'ignore' },
  );
  const declare = (names: readonly string[], direction: Direction) => {
    const declared: Interfaces = new Map();
    return names.map((name) =>
      declaration(name, (schemas as Record<string, JsonSchema>)[name] ?? {}, direction, declared),
    );
  };
  return `// Generated from src/contract/ by \`npm run docs\`.

/** The code of an error response of the service. */
export type ErrorCode = ${union(Object.keys(errors))};

${[...declare(Object.keys(received), 'received'), ...declare(Object.keys(sent), 'sent')].join('\n')}`;
}

/** Events are a union by their type, so that a program that has looked at the type knows what else there is. */
function eventDeclaration({ properties = {}, description, ...schema }: JsonSchema): string {
  const { type, ...shared } = properties as Record<string, JsonSchema>;
  const base = { ...schema, properties: shared, description: 'What any event has, or may have.' };
  const members = Object.entries(eventContents).map(([name, contents]) => {
    const present = contents.map((field) => `${field}: ${typeOf(shared[field] ?? {}, 'received')}`);
    return `| { type: '${name}'; ${present.join('; ')} }`;
  });
  return `${declaration('EventBase', base, 'received', new Map())}
/** ${description} An event of a type that a later version of the service has added has the fields of EventBase, and a \`type\` that is not here. */
export type Event = EventBase & (${members.join('')});
`;
}

/** The interfaces that are declared so far, with the text of each field. */
type Interfaces = Map<string, readonly string[]>;

/** An interface extends the latest one all of whose fields it has, with the same types and meanings. */
function declaration(name: string, schema: JsonSchema, direction: Direction, declared: Interfaces): string {
  const { description, properties, required = [] } = schema;
  if (name === 'EventType') return `/** ${description} */\nexport type EventType = Event['type'];\n`;
  if (name === 'Event') return eventDeclaration(schema);
  if (!properties) return `/** ${description} */\nexport type ${name} = ${typeOf(schema, direction)};\n`;
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([field, one]) => {
    const comment = one.description ? `/** ${one.description} */\n` : '';
    const type = typeOf(one, direction);
    const isPresent = required.includes(field) || (direction === 'received' && one.default !== undefined);
    return `${comment}${isPresent ? `${field}: ${type}` : `${field}?: ${type} | undefined`};\n`;
  });
  const isPart = ([, others]: [string, readonly string[]]) => others.every((field) => fields.includes(field));
  const [base, inherited = []] = [...declared].findLast(isPart) ?? [];
  declared.set(name, fields);
  const own = fields.filter((field) => !inherited.includes(field));
  return `/** ${description} */\nexport interface ${base ? `${name} extends ${base}` : name} {\n${own.join('')}}\n`;
}

function typeOf({ $ref, enum: values, type, anyOf, items }: JsonSchema, direction: Direction): string {
  if (anyOf) return anyOf.map((one) => typeOf(one as JsonSchema, direction)).join(' | ');
  if ($ref) return $ref.replace(/^.*\//, '');
  if (values) return union(values);
  if (type === 'integer') return direction === 'received' ? 'bigint' : 'bigint | number';
  if (type === 'string' || type === 'null') return type;
  if (type === 'array') return `readonly ${typeOf(items as JsonSchema, direction)}[]`;
  throw new Error(`The client has no type for ${type}.`);
}

const union = (values: readonly unknown[]): string => values.map((value) => `'${value}'`).join(' | ');
