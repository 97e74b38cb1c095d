import assert from 'node:assert/strict';
import { header } from './assert.ts';
import type { Answer } from './service/service.ts';
import type { RawAnswer } from './wire/socket.ts';

/**
 * The target of the link with this relation, seen from `path`, as a path with its query; undefined if there is none. The
 * reference must be relative to the path: an absolute one does not survive a proxy that removes a prefix.
 */
export function linkOf(answer: Answer | RawAnswer, rel: string, path: string): string | undefined {
  const links = (header(answer, 'link') ?? '').split(/,\s*(?=<)/);
  const link = links.find((one) => one.includes(`; rel="${rel}"`));
  if (link === undefined) return undefined;
  const reference = /^<([^<>]+)>/.exec(link)?.[1] ?? '';
  assert.match(reference, /^(?:\?|\.\.?\/)/, `${link} is relative`);
  const { pathname, search } = new URL(reference, new URL(path, 'http://service'));
  return pathname + search;
}
