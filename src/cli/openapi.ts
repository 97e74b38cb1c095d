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
    print(io, JSON.stringify(openapi(servers(config, baseAddress(config.host, config.port))), null, 2));
  },
};
