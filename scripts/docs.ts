import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../src/config.ts';
import { errors } from '../src/contract/errors.ts';
import { limitsPage } from '../src/contract/limits.ts';
import { openapi } from '../src/contract/openapi/document.ts';
import { baseAddress, servers } from '../src/contract/servers.ts';
import { clientModels } from './client-models.ts';

const ROOT = join(import.meta.dirname, '..');
const BIOME = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');

/** The files that are generated from the code. Running this file writes them; a test compares them. */
export const generated = {
  'docs/openapi.json': openapiPage(),
  'docs/errors.md': errorsPage(),
  'docs/limits.md': limitsDocument(),
  'src/client/models.ts': formatted(clientModels()),
};

if (import.meta.main) {
  for (const [name, text] of Object.entries(generated)) writeFileSync(join(ROOT, name), text);
}

/** As `npm run check` wants it. */
function formatted(source: string): string {
  const args = [BIOME, 'format', '--stdin-file-path=models.ts'];
  return execFileSync(process.execPath, args, { cwd: ROOT, input: source, encoding: 'utf8' });
}

function openapiPage(): string {
  const config = readConfig([], {}, {});
  const document = openapi(servers(config, baseAddress(config.host, config.port)));
  return `${JSON.stringify(document, null, 2)}\n`;
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
Below \`/v1\` the API key is checked first: without a valid key the response is 401, even if the request has other problems;
with a key that lacks the scope it is 403. While the store cannot be read, a key that may be new gets 503.

| status | code | meaning |
|---|---|---|
${rows.join('\n')}

Generated from \`src/contract/errors.ts\` by \`npm run docs\`.
`;
}

function limitsDocument(): string {
  const rows = Object.values(limitsPage).map(
    ({ value, meaning, beyond, test }) =>
      `| ${value.toLocaleString('en-US')} | ${meaning} | ${beyond} | \`${test}\` |`,
  );
  return `# Limits

Everything that a client can send, occupy or wait for is bounded. The bounds in the first table are those of one process; the second has those of [fields and parameters](#fields-and-parameters).

| limit | of what | beyond it | shown by |
|---|---|---|---|
${rows.join('\n')}

## Fields and parameters

A value out of these bounds gets 400, and is never shortened or clamped. Characters are Unicode code points. Integers have 64 bits. An \`Idempotency-Key\` has 1 to 255 ASCII
characters.

| field or parameter | bounds | of |
|---|---|---|
| \`?limit=\` | 1 to 100; 20 if it is not given | listPets, listCategories, listOrders, listEvents, listKeys |
| \`?id=\` | 1 to 100 values | listPets |
| \`?name=\` | 1 to 200 characters | listPets, listCategories |
| \`name\` | 1 to 1,000 characters | createPet, updatePet, createCategory, setCategory |
| \`?reason=\` | 1 to 200 characters | removePet |
| \`pets\` | 1 to 100 values | createPets |
| \`?petId=\` | 1 to 100 values | listOrders |
| \`?note=\` | 1 to 200 characters | listOrders |
| \`note\` | 1 to 1,000 characters | createOrder, updateOrder |
| \`?type=\` | 1 to 20 values | listEvents |
| \`?keyId=\` | 1 to 20 values | listEvents |
| \`name\` | 1 to 100 characters | createKey, updateKey |

## Other limits

The limits of the database are in [scaling.md](scaling.md#bounds). What an operator can set, such as \`--rate-limit\`, is in [configuration.md](configuration.md).

Generated from \`src/contract/\` by \`npm run docs\`.
`;
}
