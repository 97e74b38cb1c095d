import * as v from 'valibot';
import { ApiError } from './errors.ts';
import { Int64 } from './int64.ts';
import { jsonWriter } from './json.ts';
import { kib, limits } from './limits.ts';
import { time } from './time.ts';
import { nameOf } from './validate.ts';

const PetName = nameOf("The animal's name. Stored and returned byte for byte.");

export const PetStatus = v.pipe(
  v.picklist(['available', 'pending', 'sold'], 'must be one of available, pending, sold'),
  v.title('PetStatus'),
  v.description('Availability status of an animal.'),
);
export type PetStatus = v.InferOutput<typeof PetStatus>;

const CategoryId = v.pipe(Int64, v.description('Identifier of the category the animal belongs to.'));

/** The fields of an animal that clients set. */
const fields = { name: PetName, categoryId: CategoryId, status: PetStatus };

export const NewPet = v.pipe(
  v.object({ ...fields, status: v.optional(PetStatus, 'available') }, 'must be a JSON object'),
  v.title('NewPet'),
  v.description('An animal to add. Other fields are ignored.'),
);
export type NewPet = v.InferOutput<typeof NewPet>;

const BATCH_MAX = 100;

export const NewPets = v.pipe(
  v.object({
    pets: v.pipe(
      v.array(v.unknown(), 'must be a list of animals'),
      v.minLength(1, `must have 1 to ${BATCH_MAX} animals`),
      v.maxLength(BATCH_MAX, `must have 1 to ${BATCH_MAX} animals`),
      v.array(NewPet),
      v.description('The animals to add, in the order in which they get their identifiers.'),
    ),
  }),
  v.title('NewPets'),
  v.description(
    `Animals to add together: all of them or none. Their names must fit into a body of ${kib(limits.bodyBytes)}.`,
  ),
);
export type NewPets = v.InferOutput<typeof NewPets>;

export const PetUpdate = v.pipe(
  v.partial(v.object(fields)),
  v.title('PetUpdate'),
  v.description(
    'The fields of an animal to change. Those that are left out stay as they are. Other fields are ignored; a body of such fields alone is rejected.',
  ),
);
export type PetUpdate = v.InferOutput<typeof PetUpdate>;

export const Pet = v.pipe(
  v.object({
    id: v.pipe(Int64, v.description('Unique identifier assigned by the service on creation. Never reused.')),
    ...NewPet.pipe[0].entries,
  }),
  v.title('Pet'),
  v.description('An animal in the inventory. `status` is present in every response.'),
);
export type Pet = v.InferOutput<typeof Pet>;

/** An animal as it was when it was removed. */
export interface RemovedPet extends Pet {
  readonly removedAt: string;
  readonly reason?: string | undefined;
}

export const ListedPet = v.pipe(
  v.object({
    ...Pet.pipe[0].entries,
    removedAt: v.optional(time('When it was removed, in UTC. Absent while it is in the inventory.')),
    reason: v.optional(
      v.pipe(v.string(), v.description('Why it was removed. Absent if no reason was given.')),
    ),
  }),
  v.title('ListedPet'),
  v.description(
    'An animal. If it was removed, with the time and the reason: in the list of removed animals and in the event of the removal.',
  ),
);
export type ListedPet = v.InferOutput<typeof ListedPet>;

export const Pets = v.pipe(v.array(Pet), v.title('Pets'), v.description('Animals, newest first.'));

export const petJson = jsonWriter<Pet>(Pet);
export const listedPetJson = jsonWriter<ListedPet>(ListedPet);

export const petsJson = (pets: readonly Pet[]): string => `[${pets.map(petJson).join()}]`;

export const petNotFound = () => new ApiError('pet_not_found', 'There is no animal with this identifier.');
export const petHasOpenOrder = () =>
  new ApiError(
    'pet_has_open_order',
    'The animal has an open order, which decides its status. Complete or cancel the order first.',
  );
export const petSoldByOrder = (orderId: bigint) =>
  new ApiError(
    'pet_sold_by_order',
    `The animal was sold by order ${orderId}, which decides its status. Return that order first.`,
  );
export const petNotRemoved = () =>
  new ApiError('pet_not_removed', 'The animal is in the inventory: there is nothing to restore.');
