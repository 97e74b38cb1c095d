import { openapi } from '../contract/openapi/document.ts';
import { baseAddress, servers } from '../contract/servers.ts';
import type { Command } from './command.ts';
import { print } from './io.ts';

export const openapiCommand: Command = {
  summary: 'Print the OpenAPI 3.1 document of the API.',
  positionals: [],
  settings: ['host', 'port', 'baseUrl', 'stagingBaseUrl'],
  flags: {},
  async run({ config, io }) {
    const document = openapi(servers(config, baseAddress(config.host, config.port)));
    print(io, ...JSON.stringify(document, null, 2).split('\n'));
  },
};
