import assert from 'node:assert/strict';
import type { Service } from '../service/service.ts';

export const withName = (name: string) => `{"name":${name},"categoryId":7}`;
export const withCategory = (categoryId: string) => `{"name":"Rex","categoryId":${categoryId}}`;
export const withStatus = (status: string) => `{"name":"Rex","categoryId":7,"status":${status}}`;

/** Creates an animal from this body and returns its id and the rest of its wire text: the same in create, get and list. */
export async function wireOf({ call }: Service, raw: string): Promise<{ id: string; rest: string }> {
  const created = await call('POST', '/v1/pets', { raw });
  assert.equal(created.status, 201, created.text);
  const [, id = '', rest = ''] = /^\{"id":(\d+),(.*)\}$/s.exec(created.text) ?? [];
  assert.equal((await call('GET', `/v1/pets/${id}`)).text, created.text);
  assert.equal((await call('GET', '/v1/pets?limit=1')).text, `[${created.text}]`);
  return { id, rest };
}
