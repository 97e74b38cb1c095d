import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../src/config.ts';
import { errors } from '../src/contract/errors.ts';
import { openapi } from '../src/contract/openapi.ts';
import { baseAddress } from '../src/http/system/address.ts';
import { servers } from '../src/http/system/openapi.ts';

const DOCS = join(import.meta.dirname, '../docs');

/** The pages that are made from the code. Run this file to write them; a test wants them as they are here. */
export const pages = {
  'openapi.json': openapiPage(),
  'errors.md': errorsPage(),
};

if (import.meta.main) {
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(DOCS, name), text);
}

function openapiPage(): string {
  const config = readConfig([], {}, {});
  return `${JSON.stringify(openapi(servers(config, baseAddress(config.host, config.port))), null, 2)}\n`;
}

function errorsPage(): string {
  const rows = Object.entries(errors).map(
    ([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`,
  );
  return `# Errors

Every answer that is not a success has the same body, also one to a request that never reaches a route:

\`\`\`json
{ "code": "pet_not_found", "message": "There is no animal with this identifier.", "status": 404 }
\`\`\`

Programs decide on \`code\`; \`message\` is for people and may change its words. \`status\` repeats the HTTP status.
Below \`/v1\` the key is checked first: without a valid one the answer is 401, whatever else is wrong.

| status | code | meaning |
|---|---|---|
${rows.join('\n')}

Made from \`src/contract/errors.ts\` by \`npm run docs\`.
`;
}
