import type { Config } from '../../config.ts';
import type { Server } from '../../contract/openapi.ts';
import { BASE_PATH } from '../../contract/operation.ts';
import type { HttpRequest } from '../request/request.ts';
import type { Routes } from '../request/route.ts';
import { jsonAnswer } from '../response/answer.ts';
import { baseAddress } from './address.ts';

type Deployments = Pick<Config, 'baseUrl' | 'stagingBaseUrl'>;

const HOST = /^[\w.:[\]-]+$/;
const SERVERS = '"servers":[]';

/** `/openapi.json`: the document of the interface, without a key. */
export function addOpenapi(routes: Routes, deployments: Deployments): void {
  let parts: Promise<readonly string[]> | undefined;

  routes.add('GET', '/openapi.json', {
    inputs: {},
    operation: undefined,
    async handle({ request }) {
      parts ??= documentParts();
      const list = JSON.stringify(servers(deployments, servedAt(request)));
      return jsonAnswer(200, (await parts).join(`"servers":${list}`));
    },
  });
}

/** The text before and after the servers, made at the first request: all that depends on who asks is the servers. */
async function documentParts(): Promise<readonly string[]> {
  const { openapi } = await import('../../contract/openapi.ts');
  return JSON.stringify(openapi([])).split(SERVERS);
}

/** As the client addresses us, or, when it does not say, the address that its connection was made to. */
function servedAt({ headers, received }: HttpRequest): string {
  const host = headers.first('host') ?? '';
  if (HOST.test(host)) return `http://${host}${BASE_PATH}`;
  return baseAddress(received.local.address, received.local.port);
}

/** The configured deployments; without them, the address that is being served. */
export function servers({ baseUrl, stagingBaseUrl }: Deployments, served: string): Server[] {
  const list: Server[] = [];
  if (baseUrl !== undefined) list.push({ url: baseUrl, description: 'Production' });
  if (stagingBaseUrl !== undefined) list.push({ url: stagingBaseUrl, description: 'Staging' });
  return list.length > 0 ? list : [{ url: served, description: 'This service' }];
}
