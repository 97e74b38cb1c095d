import * as v from 'valibot';
import { CreatedKey, CurrentKey, Key, KeyRotation, Keys, KeyUpdate, NewKey, RotatedKey } from '../key.ts';
import { bodyErrors, type OperationDefinition } from '../operation.ts';
import { keyIdParameter, paging } from '../parameters.ts';
import { query } from '../validate.ts';

export const keyOperations = {
  listKeys: {
    method: 'GET',
    path: '/keys',
    scope: 'keys:read',
    summary: 'List API keys',
    description:
      'The stored keys, newest first, in pages as in `listPets`. Their secrets are never shown. Keys from `API_KEYS` are not listed.',
    query: query(paging),
    answer: { status: 200, schema: Keys, paged: true },
  },
  createKey: {
    method: 'POST',
    path: '/keys',
    scope: 'keys:write',
    summary: 'Create an API key',
    description:
      'Only this response contains the key. Every process accepts it at once. A key can give only the scopes that it has itself, and `*` only if it has `*`; otherwise the response is 403.',
    body: NewKey,
    secret: true,
    answer: { status: 201, schema: CreatedKey },
    errors: [...bodyErrors],
  },
  rotateKey: {
    method: 'POST',
    path: '/keys/{keyId}/rotate',
    scope: 'keys:write',
    summary: 'Replace an API key',
    description:
      'Creates a key with the same name, scopes and lifetime, which is the time from the creation of the old one to its expiry as it is now. The old one works until the end of the overlap, or until it expires if that is earlier. Only this response contains the new key. The new key does not know the `Idempotency-Key`s of the old one. A key can rotate itself, and other keys whose scopes it has; otherwise the response is 403.',
    params: v.object({ keyId: keyIdParameter }),
    body: KeyRotation,
    secret: true,
    answer: { status: 201, schema: RotatedKey },
    errors: [...bodyErrors, 'key_not_found', 'key_not_active'],
  },
  updateKey: {
    method: 'PATCH',
    path: '/keys/{keyId}',
    scope: 'keys:write',
    summary: 'Rename or narrow an API key',
    description:
      'Changes the given fields and returns the key, without the key itself. Every process acts on it within a second. A key can change itself, and other keys whose scopes it has, and can give only scopes that it has; otherwise the response is 403. A key that is revoked or has expired cannot be changed.',
    params: v.object({ keyId: keyIdParameter }),
    body: KeyUpdate,
    answer: { status: 200, schema: Key },
    errors: [...bodyErrors, 'key_not_found', 'key_not_active'],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/keys/{keyId}',
    scope: 'keys:write',
    summary: 'Revoke an API key',
    description:
      'Every process rejects the key within a second, for good; from the response on, it can change no keys. It stays in the list. Revoking it again changes nothing. A key can revoke itself, and other keys whose scopes it has; otherwise the response is 403.',
    params: v.object({ keyId: keyIdParameter }),
    answer: { status: 204 },
    errors: ['key_not_found'],
  },
  getCurrentKey: {
    method: 'GET',
    path: '/keys/current',
    scope: 'any',
    summary: 'Get the API key of this request',
    description: 'Returns the name of the key, what it may do, and when it expires.',
    answer: { status: 200, schema: CurrentKey },
  },
} as const satisfies Record<string, OperationDefinition>;
