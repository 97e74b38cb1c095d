import * as v from 'valibot';
import { ApiError } from './errors.ts';
import { Int64 } from './int64.ts';
import { jsonWriter } from './json-writer.ts';

const NAME_MAX = 1000;
const NOT_ONLY_SPACE = /\P{White_Space}/u;
/** As published, for validators of any language. It differs on U+0085 and U+FEFF alone. */
const PORTABLE_PATTERN = '\\S';

function isName(text: string): boolean {
  if (text.length > 2 * NAME_MAX || (text.length > NAME_MAX && [...text].length > NAME_MAX)) return false;
  return NOT_ONLY_SPACE.test(text) && !text.includes('\0') && text.isWellFormed();
}

const PetName = v.pipe(
  v.string('must be text'),
  v.check(
    isName,
    // Written out: `toLocaleString` would cost every start 25 ms of CPU to load what it knows of all languages.
    'must be 1 to 1,000 characters, not only white space, without NUL or lone surrogates',
  ),
  v.description("The animal's name. Stored and returned byte for byte."),
  v.metadata({ minLength: 1, maxLength: NAME_MAX, pattern: PORTABLE_PATTERN }),
);

export const PetStatus = v.pipe(
  v.picklist(['available', 'pending', 'sold'], 'must be one of available, pending, sold'),
  v.title('PetStatus'),
  v.description('Availability status of an animal.'),
);
export type PetStatus = v.InferOutput<typeof PetStatus>;

export const NewPet = v.pipe(
  v.object({
    name: PetName,
    categoryId: v.pipe(Int64, v.description('Identifier of the category the animal belongs to.')),
    status: v.optional(PetStatus, 'available'),
  }),
  v.title('NewPet'),
  v.description('An animal to add. Other fields are ignored.'),
);
export type NewPet = v.InferOutput<typeof NewPet>;

export const Pet = v.pipe(
  v.object({
    id: v.pipe(Int64, v.description('Unique identifier assigned by the service on creation. Never reused.')),
    ...NewPet.pipe[0].entries,
  }),
  v.title('Pet'),
  v.description('An animal in the inventory. `status` is present in every response.'),
);
export type Pet = v.InferOutput<typeof Pet>;

export const Pets = v.pipe(v.array(Pet), v.title('Pets'), v.description('Animals, newest first.'));

export const newPetJson = jsonWriter<NewPet>(NewPet);
export const petJson = jsonWriter<Pet>(Pet);

export const petNotFound = () => new ApiError('pet_not_found', 'There is no animal with this identifier.');
