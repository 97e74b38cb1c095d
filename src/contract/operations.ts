import * as v from 'valibot';
import type { ErrorCode } from './errors.ts';
import { Int64 } from './int64.ts';
import { NewPet, Pet, PetStatus, Pets } from './pet.ts';
import type { Fields } from './validate.ts';

export const LIMIT_DEFAULT = 20;
export const LIMIT_MAX = 100;

export interface Deprecation {
  readonly since: `${number}-${number}-${number}`;
  readonly sunset: `${number}-${number}-${number}`;
  /** The path that takes its place. */
  readonly successor: `/${string}`;
}

/** What the interface promises of one operation. Routes, validation and the OpenAPI document follow from it. */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** Relative to the base address; `{name}` stands for a path parameter of `params`. */
  readonly path: `/${string}`;
  readonly tag: 'pets' | 'store';
  readonly summary: string;
  readonly description: string;
  readonly params?: Fields;
  readonly query: Fields;
  readonly body?: Fields;
  readonly idempotent?: true;
  readonly answer: { readonly status: number; readonly schema: v.GenericSchema; readonly paged?: true };
  /** Errors of this operation alone, beside `commonErrors`. */
  readonly errors: readonly ErrorCode[];
  /** The statuses that the specification itself names; every other one is marked experimental. */
  readonly specified: readonly number[];
  readonly deprecated?: Deprecation;
}

/** What any operation can answer. */
export const commonErrors: readonly ErrorCode[] = [
  'invalid_parameter',
  'bad_request',
  'unauthorized',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal_error',
  'unavailable',
];

const isLimit = (text: string): boolean => {
  return /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= LIMIT_MAX;
};

const Limit = v.pipe(
  v.string('must be given once'),
  v.check(isLimit, `must be a whole number from 1 to ${LIMIT_MAX}, in plain digits`),
  v.transform(Number),
  v.description('Maximum number of animals returned. A value out of bounds is refused, never clamped.'),
  v.metadata({ type: 'integer', minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT }),
);

const Cursor = v.pipe(
  v.string('must be given once'),
  v.description('Where the next page begins: the opaque value in the `Link` header of the page before.'),
  v.metadata({ 'x-stability': 'experimental' }),
);

const PetId = v.pipe(Int64, v.description('The identifier of the animal.'));

export const operations = {
  listPets: {
    id: 'listPets',
    method: 'GET',
    path: '/pets',
    tag: 'pets',
    summary: 'List animals',
    description:
      'Animals, newest first. While there are more, the `Link` header leads to the next page; a walk through all pages meets every animal that was there when it began exactly once, whoever writes meanwhile.',
    query: v.object({
      limit: v.optional(Limit, `${LIMIT_DEFAULT}`),
      status: v.optional(PetStatus),
      cursor: v.optional(Cursor),
    }),
    answer: { status: 200, schema: Pets, paged: true },
    errors: [],
    specified: [200, 401],
  },
  createPet: {
    id: 'createPet',
    method: 'POST',
    path: '/pets',
    tag: 'pets',
    summary: 'Add an animal',
    description:
      'The animal is on disk before the answer is sent. Without `status` it is `available`. Send an `Idempotency-Key` to be able to try again safely.',
    query: v.object({}),
    body: NewPet,
    idempotent: true,
    answer: { status: 201, schema: Pet },
    errors: ['invalid_request', 'payload_too_large', 'unsupported_media_type', 'idempotency_key_reused'],
    specified: [201, 400, 401],
  },
  getPet: {
    id: 'getPet',
    method: 'GET',
    path: '/pets/{petId}',
    tag: 'pets',
    summary: 'Get an animal',
    description: 'Deprecated, to be removed on 5 December 2030: use `GET /pets` with the `status` filter.',
    params: v.object({ petId: PetId }),
    query: v.object({}),
    answer: { status: 200, schema: Pet },
    errors: ['pet_not_found', 'operation_removed'],
    specified: [200, 401, 404],
    deprecated: { since: '2026-11-14', sunset: '2030-12-05', successor: '/pets' },
  },
} as const satisfies Record<string, Operation>;
