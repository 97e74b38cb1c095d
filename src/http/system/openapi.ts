import { BASE_PATH } from '../../contract/operation.ts';
import { baseAddress, type Deployments, servers } from '../../contract/servers.ts';
import type { HttpRequest } from '../request/request.ts';
import type { Routes } from '../request/route.ts';
import { jsonAnswer } from '../response/answer.ts';

const HOST = /^[\w.:[\]-]+$/;
const SERVERS = '"servers":[]';

/** `/openapi.json`: the document of the interface, without a key. */
export function addOpenapi(routes: Routes, deployments: Deployments): void {
  let parts: Promise<readonly string[]> | undefined;
  // Most clients use the same address, and the document is large.
  let latest = { address: '', answer: jsonAnswer(200, '') };

  routes.add('GET', '/openapi.json', {
    inputs: {},
    async handle({ request }) {
      const address = servedAt(request);
      if (address === latest.address) return latest.answer;
      parts ??= documentParts();
      const list = JSON.stringify(servers(deployments, address));
      const text = (await parts).join(`"servers":${list}`);
      latest = { address, answer: jsonAnswer(200, text) };
      return latest.answer;
    },
  });
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
