import * as v from 'valibot';
import { textPart } from '../bounded-filters.ts';
import { bodyErrors, type OperationDefinition } from '../operation.ts';
import {
  CategoryIdFilter,
  Ids,
  paging,
  petIdParameter,
  Reason,
  Removed,
  removedAlone,
  statusFilter,
} from '../parameters.ts';
import { NewPet, NewPets, Pet, PetStatus, Pets, PetUpdate } from '../pet.ts';
import { query } from '../validate.ts';

export const petOperations = {
  listPets: {
    method: 'GET',
    path: '/pets',
    scope: 'pets:read',
    summary: 'List animals',
    description:
      'Animals, newest first. If there are more, the `Link` header leads to the next page. Following it to the end returns every animal that existed at the start exactly once, even while animals are added.',
    query: v.pipe(
      query({
        ...paging,
        status: statusFilter(PetStatus, 'animals'),
        id: v.optional(Ids),
        name: v.optional(
          v.pipe(
            textPart(
              'Restricts the result to animals whose name contains every word of this text, in any order, ignoring case and accents: `bjorn` finds Björn.',
              'animals',
            ),
            v.metadata({ example: 'rex' }),
          ),
        ),
        categoryId: v.optional(CategoryIdFilter),
        removed: v.optional(Removed),
      }),
      removedAlone(),
    ),
    answer: { status: 200, schema: Pets, paged: true },
    specified: true,
  },
  createPet: {
    method: 'POST',
    path: '/pets',
    scope: 'pets:write',
    summary: 'Add an animal',
    description:
      'The animal is stored durably before the response is sent. Without a `status` it is `available`. Send an `Idempotency-Key` to be able to repeat it safely.',
    body: NewPet,
    answer: { status: 201, schema: Pet, tagged: true },
    errors: [...bodyErrors],
    specified: true,
  },
  getPet: {
    method: 'GET',
    path: '/pets/{petId}',
    scope: 'pets:read',
    summary: 'Get an animal',
    description:
      'Deprecated; will be removed on 5 December 2030. Use `GET /pets` with the `status` or `id` filter instead.',
    params: v.object({ petId: petIdParameter }),
    conditional: true,
    answer: { status: 200, schema: Pet, tagged: true },
    errors: ['pet_not_found', 'operation_removed', 'precondition_failed'],
    specified: true,
    deprecated: { since: '2026-11-14', sunset: '2030-12-05', successor: '/pets' },
  },
  updatePet: {
    method: 'PATCH',
    path: '/pets/{petId}',
    scope: 'pets:write',
    summary: 'Change an animal',
    description:
      'Changes the given fields and returns the animal. While the animal has an open order, or once an order has sold it, its status follows that order and cannot be changed here. Send its `ETag` as `If-Match` to change it only if no other client has changed it since.',
    params: v.object({ petId: petIdParameter }),
    body: PetUpdate,
    conditional: true,
    answer: { status: 200, schema: Pet, tagged: true },
    errors: [
      ...bodyErrors,
      'pet_not_found',
      'pet_has_open_order',
      'pet_sold_by_order',
      'precondition_failed',
    ],
  },
  removePet: {
    method: 'DELETE',
    path: '/pets/{petId}',
    scope: 'pets:write',
    summary: 'Remove an animal',
    description:
      'The animal disappears from every list, search and count at once; its closed orders stay. `restorePet` brings it back. An animal with an open order cannot be removed. The `reason`, if any, is in the event and in the list of removed animals until the animal is restored.',
    params: v.object({ petId: petIdParameter }),
    query: query({ reason: v.optional(Reason) }),
    conditional: true,
    answer: { status: 204 },
    errors: ['pet_not_found', 'pet_has_open_order', 'precondition_failed'],
  },
  restorePet: {
    method: 'POST',
    path: '/pets/{petId}/restore',
    scope: 'pets:write',
    summary: 'Restore a removed animal',
    description:
      'Brings a removed animal back as it was. `GET /pets?removed=true` lists what can be restored.',
    params: v.object({ petId: petIdParameter }),
    answer: { status: 200, schema: Pet, tagged: true },
    errors: ['pet_not_found', 'pet_not_removed'],
  },
  createPets: {
    method: 'POST',
    path: '/pets/batch',
    scope: 'pets:write',
    summary: 'Add several animals',
    description:
      'Adds 1 to 100 animals in one transaction, all of them or none, and returns them in the given order. A problem is named with its position, such as `pets[3].name`.',
    body: NewPets,
    answer: { status: 201, schema: Pets },
    errors: [...bodyErrors],
  },
} as const satisfies Record<string, OperationDefinition>;
