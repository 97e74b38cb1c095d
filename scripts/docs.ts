import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../src/config.ts';
import { errors } from '../src/contract/errors.ts';
import { openapi } from '../src/contract/openapi/document.ts';
import { baseAddress, servers } from '../src/contract/servers.ts';

const DOCS = join(import.meta.dirname, '../docs');

/** The pages that are generated from the code. Running this file writes them; a test compares them. */
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

Every error response has the same body, even if the request was not valid HTTP:

\`\`\`json
{ "code": "pet_not_found", "message": "There is no animal with this identifier.", "status": 404 }
\`\`\`

Programs should look at \`code\`. \`message\` is for people, and its wording may change. \`status\` repeats the HTTP status.
Below \`/v1\` the API key is checked first: without a valid key the response is 401, even if the request has other problems.

| status | code | meaning |
|---|---|---|
${rows.join('\n')}

Generated from \`src/contract/errors.ts\` by \`npm run docs\`.
`;
}
