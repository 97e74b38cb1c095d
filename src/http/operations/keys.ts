import { issueKey, replaceKey, shownKey } from '../../keys/issue.ts';
import type { AuthenticatedKey } from '../../keys/verifier.ts';
import type { ApiKey, Page, Store } from '../../store/store.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import type { Handlers } from './handler.ts';
import { page } from './paging.ts';

export function keyHandlers(store: Store) {
  return {
    listKeys: (call) =>
      page('listKeys', call, async ({ limit, from }) =>
        pageOf(await store.listNewestKeys({ limit: limit + 1, from }), limit),
      ),

    async createKey({ request, body }) {
      const { key, stored } = await issueKey(store, body, request.key?.author);
      request.targetKeyId = stored.id;
      return secretAnswer({ ...shownKey(stored), key });
    },

    async updateKey({ request, parameter, body }) {
      const key = await store.updateKey(parameter, body, request.key?.author);
      request.targetKeyId = key.id;
      return jsonAnswer(200, JSON.stringify(shownKey(key)));
    },

    async revokeKey({ request, parameter }) {
      const { id } = await store.revokeKey(parameter, request.key?.author);
      request.targetKeyId = id;
      return { status: 204, headers: [], body: '' };
    },

    async rotateKey({ request, parameter, body }) {
      const rotation = { overlapMs: body.overlap };
      const { key, created, replaced } = await replaceKey(store, parameter, rotation, request.key?.author);
      request.targetKeyId = replaced.id;
      return secretAnswer({ ...shownKey(created), key, replaces: shownKey(replaced) });
    },

    async getCurrentKey({ request }) {
      const { id, name, scopes, expiresAt } = request.key as AuthenticatedKey;
      return jsonAnswer(200, JSON.stringify({ id, name, scopes, expiresAt }));
    },
  } satisfies Partial<Handlers>;
}

function pageOf(keys: readonly ApiKey[], limit: number): Page {
  const next = keys[limit];
  return {
    json: JSON.stringify(keys.slice(0, limit).map(shownKey)),
    ...(next && { next: { id: BigInt(next.id) } }),
  };
}

/** A response that no cache may keep. */
const secretAnswer = (value: object): Answer =>
  jsonAnswer(201, JSON.stringify(value), 'cache-control', 'no-store');
