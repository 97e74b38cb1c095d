import assert from 'node:assert/strict';
import type { Scope } from '../../../src/contract/scope.ts';
import { eventually } from '../../support/eventually.ts';
import { KEY, type Service } from '../../support/service/service.ts';
import { storeKey } from '../../support/service/stored-key.ts';

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  readonly lastUsedAt?: string;
  readonly replacedBy?: string;
  readonly createdBy?: string;
  readonly rotatedBy?: string;
  readonly revokedBy?: string;
}
export type CreatedKey = Key & { readonly key: string };
export type RotatedKey = CreatedKey & { readonly replaces: Key };

const DAY_MS = 86_400_000;
export const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
export const till = { name: 'till 3', scopes: ['pets:read', 'store:write'] };

/** The calls that the tests of keys make to a service. */
export function callsTo(service: Service) {
  const isAccepted = async (key: string): Promise<boolean> =>
    (await service.call('GET', '/v1/keys/current', { key })).status === 200;
  const accepted = (key: string) => eventually(() => isAccepted(key), 'the key is accepted');
  return {
    isAccepted,
    accepted,
    refused: (key: string) => eventually(async () => !(await isAccepted(key)), 'the key is refused'),
    async create(body: object, key = KEY): Promise<CreatedKey> {
      const answer = await service.call('POST', '/v1/keys', { body, key });
      assert.equal(answer.status, 201, answer.text);
      return answer.json as CreatedKey;
    },
    /** A key with these scopes that the service knows already. */
    async keyWith(...scopes: Scope[]): Promise<{ id: string; key: string }> {
      const stored = await storeKey(service.store, scopes);
      await accepted(stored.key);
      return stored;
    },
    rotate: (id: string, body: object = {}, key = KEY) =>
      service.call('POST', `/v1/keys/${id}/rotate`, { body, key }),
    /** The id of the configured key, which is not stored. */
    currentId: async (): Promise<string> => ((await service.call('GET', '/v1/keys/current')).json as Key).id,
    listed: async (id: string): Promise<Key | undefined> =>
      ((await service.call('GET', '/v1/keys?limit=100')).json as Key[]).find((key) => key.id === id),
  };
}
