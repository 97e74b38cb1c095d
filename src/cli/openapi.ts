import { openapi } from '../contract/openapi.ts';
import { baseAddress } from '../http/system/address.ts';
import { servers } from '../http/system/openapi.ts';
import { type Command, print } from './command.ts';

export const openapiCommand: Command = {
  summary: 'Print the OpenAPI 3.1 document of the API.',
  positionals: [],
  settings: ['host', 'port', 'baseUrl', 'stagingBaseUrl'],
  flags: {},
  async run({ config }) {
    print(JSON.stringify(openapi(servers(config, baseAddress(config.host, config.port))), null, 2));
  },
};
