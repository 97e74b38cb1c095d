import { ApiError } from '../../contract/errors.ts';
import { type Key, keyNotFound } from '../../contract/key.ts';
import type { Scope } from '../../contract/scope.ts';
import { type AuthenticatedKey, storedId } from '../../keys/authenticated-key.ts';
import { issueKey, missingScopes, replaceKey } from '../../keys/issue.ts';
import { stateOf } from '../../keys/state.ts';
import type { Refusal } from '../../keys/verifier.ts';
import type { ApiKey, Page, Store } from '../../store/store.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { insufficientScope, unauthorized } from '../request/access.ts';
import type { HttpRequest } from '../request/request.ts';
import { type Handlers, noContent } from './handler.ts';
import { page } from './paging.ts';

export function keyHandlers(store: Store) {
  /** The key with this id, if the one of the request may manage it. The scopes of a key never change. */
  async function keyToManage(request: HttpRequest, id: string): Promise<ApiKey> {
    const key = await store.getKey(id);
    if (!key) throw keyNotFound();
    requireScopes(request, key.scopes);
    return key;
  }

  /** Runs `change` with the id of the stored key that acts. The store may know that it was revoked before the verifier does. */
  async function acting<T>(request: HttpRequest, change: (actingKey?: string) => Promise<T>): Promise<T> {
    const id = storedId(request.key as AuthenticatedKey);
    try {
      return await change(id);
    } catch (error) {
      if (id === undefined || !(error instanceof ApiError) || error.code !== 'unauthorized') throw error;
      request.refusal = { refused: await refusalOf(id), keyId: id };
      throw unauthorized(request);
    }
  }

  async function refusalOf(id: string): Promise<Refusal> {
    const key = await store.getKey(id);
    if (!key) return 'unknown';
    return key.revokedAt ? 'revoked' : 'expired';
  }

  return {
    listKeys: (call) =>
      page('listKeys', call, async ({ limit, from }) =>
        pageOf(await store.listNewestKeys({ limit: limit + 1, from }), limit),
      ),

    async createKey({ request, body }) {
      requireScopes(request, body.scopes);
      const { key, stored } = await acting(request, (id) => issueKey(store, body, id));
      return secretAnswer({ ...shown(stored), key });
    },

    async revokeKey({ request, parameter }) {
      const { id } = await keyToManage(request, parameter);
      await store.revokeKey(id);
      return noContent();
    },

    async rotateKey({ request, parameter, body }) {
      const { id } = await keyToManage(request, parameter);
      const rotated = await acting(request, (actingKey) =>
        replaceKey(store, id, { overlapMs: body.overlap }, actingKey),
      );
      if (!rotated) throw keyNotFound();
      if ('refused' in rotated) throw notActive(rotated.refused);
      const { key, created, replaced } = rotated;
      return secretAnswer({ ...shown(created), key, replaces: shown(replaced) });
    },

    async getCurrentKey({ request }) {
      const { id, name, scopes, expiresAt } = request.key as AuthenticatedKey;
      return jsonAnswer(200, JSON.stringify({ id, name, scopes, expiresAt }));
    },
  } satisfies Partial<Handlers>;
}

/** What the interface shows of a key. Its digest would let anyone recognise it. */
const shown = ({ id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt, replacedBy }: ApiKey) =>
  ({ id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt, replacedBy }) satisfies Record<
    keyof Key,
    unknown
  >;

function pageOf(keys: readonly ApiKey[], limit: number): Page {
  const next = keys[limit];
  return {
    json: JSON.stringify(keys.slice(0, limit).map(shown)),
    ...(next && { next: { id: BigInt(next.id) } }),
  };
}

/** A response that no cache may keep. */
const secretAnswer = (value: object): Answer =>
  jsonAnswer(201, JSON.stringify(value), 'cache-control', 'no-store');

/** Otherwise a key could give itself what it lacks, by way of another key. */
function requireScopes(request: HttpRequest, scopes: readonly Scope[]): void {
  const missing = missingScopes(request.key as AuthenticatedKey, scopes);
  if (missing.length === 0) return;
  const message = `This API key lacks ${missing.join(', ')}: it can create, rotate and revoke only keys whose scopes it has.`;
  throw insufficientScope(request, missing, message);
}

function notActive(key: ApiKey): ApiError {
  const { replacedBy, revokedAt } = key;
  const message =
    replacedBy !== undefined && !revokedAt
      ? `The key was replaced by key ${replacedBy}: rotate that one.`
      : `The key is ${stateOf(key)}: create a new one.`;
  return new ApiError('key_not_active', message);
}
