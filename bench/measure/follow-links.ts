import { KeepAliveClient } from '../../test/support/wire/keep-alive.ts';
import { KEY } from '../workloads/calls.ts';

/** A search of one client, from its first page to the first one with an animal. */
export interface FollowedSearch {
  /** The targets that were requested, one after the other. */
  readonly targets: readonly string[];
  /** How long each request took, in milliseconds. */
  readonly times: readonly number[];
  /** How many animals the last page has. */
  readonly found: number;
}

const NEXT = /^<(\?[^>]+)>; rel="next"$/;

/** Follows the `Link`s of a list until a page has an animal, or to the end. */
export async function followLinks(client: KeepAliveClient, first: string): Promise<FollowedSearch> {
  const targets: string[] = [];
  const times: number[] = [];
  let found = 0;
  for (let target: string | undefined = first; target !== undefined && found === 0; ) {
    const sentAt = performance.now();
    const { status, headers, body } = await client.get(target, { authorization: `Bearer ${KEY}` });
    times.push(performance.now() - sentAt);
    if (status !== 200) throw new Error(`${target}: ${status} ${body}`);
    targets.push(target);
    found = (JSON.parse(body) as unknown[]).length;
    const query: string | undefined = NEXT.exec(String(headers.link))?.[1];
    target = query && new URL(query, `http://localhost${target}`).href.slice('http://localhost'.length);
  }
  return { targets, times, found };
}

/** Calls `work` with a client that has a connection of its own. */
export async function withClient<T>(port: number, work: (client: KeepAliveClient) => Promise<T>): Promise<T> {
  const client = new KeepAliveClient(port);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
