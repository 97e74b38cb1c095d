import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { BASE_PATH } from '../../contract/operation.ts';
import { type Deployments, servers } from '../../contract/servers.ts';
import { JSON_TYPE } from '../answer.ts';
import type { Routes } from '../request/route.ts';
import { type Document, documentAnswer } from './document-answer.ts';

/** `/openapi.json`: the document of the interface, without a key. It is made once, at the first request. */
export function addOpenapi(routes: Routes, deployments: Deployments): void {
  let document: Document | undefined;
  routes.add('GET', '/openapi.json', {
    inputs: {},
    access: 'public',
    async handle({ request }) {
      document ??= await documentFor(deployments);
      return documentAnswer(request.headers, document);
    },
  });
}

/** Unless deployments are configured, the server is relative to the document: whatever host, scheme or path prefix a client uses, it fits. */
async function documentFor(deployments: Deployments): Promise<Document> {
  const { openapi } = await import('../../contract/openapi/document.ts');
  const identity = Buffer.from(JSON.stringify(openapi(servers(deployments, `.${BASE_PATH}`))));
  const etag = `W/"${hash('sha256', identity).slice(0, 32)}"`;
  const headers = ['content-type', JSON_TYPE, 'etag', etag, 'vary', 'accept-encoding'];
  return { headers, etag, bodies: { identity, gzip: await promisify(gzip)(identity) } };
}
