import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { BASE_PATH } from '../../contract/operation.ts';
import { baseAddress, type Deployments, servers } from '../../contract/servers.ts';
import { JSON_TYPE } from '../answer.ts';
import type { HttpRequest } from '../request/request.ts';
import type { Routes } from '../request/route.ts';
import { type Document, documentAnswer } from './document-answer.ts';

const compressGzip = promisify(gzip);
const HOST = /^[\w.:[\]-]+$/;
const SERVERS = '"servers":[]';

/** `/openapi.json`: the document of the interface, without a key. */
export function addOpenapi(routes: Routes, deployments: Deployments): void {
  let parts: Promise<readonly string[]> | undefined;
  // Most clients use the same address, and the document is large.
  let latest: { readonly address: string; readonly document: Promise<Document> } | undefined;

  routes.add('GET', '/openapi.json', {
    inputs: {},
    access: 'public',
    async handle({ request }) {
      const address = servedAt(request);
      if (latest?.address !== address) {
        parts ??= documentParts();
        latest = { address, document: documentFor(JSON.stringify(servers(deployments, address)), parts) };
      }
      return documentAnswer(request.headers, await latest.document);
    },
  });
}

/** Compressed with gzip at its default level: the address is the client's choice, so that it must cost little. */
async function documentFor(serverList: string, parts: Promise<readonly string[]>): Promise<Document> {
  const identity = Buffer.from((await parts).join(`"servers":${serverList}`));
  const etag = `W/"${hash('sha256', identity).slice(0, 32)}"`;
  const headers = ['content-type', JSON_TYPE, 'etag', etag, 'vary', 'accept-encoding'];
  return { headers, etag, bodies: { identity, gzip: await compressGzip(identity) } };
}

/** The text before and after the servers, made at the first request: all that depends on who asks is the servers. */
async function documentParts(): Promise<readonly string[]> {
  const { openapi } = await import('../../contract/openapi/document.ts');
  return JSON.stringify(openapi([])).split(SERVERS);
}

/** As the client addresses us, or, when it does not say, the address that its connection was made to. */
function servedAt({ headers, received }: HttpRequest): string {
  const host = headers.first('host') ?? '';
  if (HOST.test(host)) return `http://${host}${BASE_PATH}`;
  return baseAddress(received.localAddress, received.localPort);
}
