import * as v from 'valibot';
import { ApiError, type KeyRefusal } from './errors.ts';
import { FULL_ACCESS, type Scope, scopes } from './scope.ts';
import { DURATION_RULE, durationMs, futureTime, time } from './time.ts';
import { atLeastOne } from './validate.ts';

const NAME_MAX = 100;
/** No control characters, line breaks, or characters that turn the direction of a line: lists show names to people. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+$/u;
/** A name of white space and invisible characters only would be an empty place in a list. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u;

export const KEY_NAME_RULE = `must be 1 to ${NAME_MAX} printable characters, not only white space`;

export const isKeyName = (text: string): boolean =>
  PRINTABLE.test(text) && VISIBLE.test(text) && [...text].length <= NAME_MAX;

export const SCOPES_RULE = `must be ${FULL_ACCESS} alone, or one or more of ${scopes.slice(1).join(', ')}, each once`;

/** The scopes in the order of their table; undefined if they are not what `SCOPES_RULE` says. */
export function parseScopes(given: readonly unknown[]): readonly Scope[] | undefined {
  const known = scopes.filter((scope) => given.includes(scope));
  const isAlone = !known.includes(FULL_ACCESS) || known.length === 1;
  return known.length > 0 && known.length === given.length && isAlone ? known : undefined;
}

const name = v.pipe(
  v.string('must be text'),
  v.check(isKeyName, KEY_NAME_RULE),
  v.description('Who uses the key, for example a till or a program.'),
  v.metadata({ minLength: 1, maxLength: NAME_MAX }),
);

export const KeyScope = v.pipe(
  v.picklist(scopes),
  v.title('KeyScope'),
  v.description(
    'What a key may do. A scope for writing includes reading; `*` is everything. `store:read` shows orders with the names of the keys that created and completed them. `events:read` shows every change: animals, orders with their notes, categories, and the names of keys.',
  ),
);

const keyScopes = v.pipe(
  v.array(KeyScope),
  v.description('What the key may do: scopes, or `*` alone for everything.'),
);

const newScopes = v.pipe(
  v.array(v.unknown(), SCOPES_RULE),
  v.check((given) => parseScopes(given) !== undefined, SCOPES_RULE),
  v.transform((given) => parseScopes(given) as readonly Scope[]),
  v.description('What the key may do: one or more scopes, or `*` alone for everything.'),
  v.metadata({
    type: 'array',
    items: { $ref: '#/components/schemas/KeyScope' },
    minItems: 1,
    uniqueItems: true,
  }),
);

export const NewKey = v.pipe(
  v.object({
    name,
    scopes: newScopes,
    expiresAt: v.optional(
      futureTime('When the key expires. Without it, the key is valid until it is revoked.'),
    ),
  }),
  v.title('NewKey'),
  v.description('An API key to create. Other fields are ignored.'),
);
export type NewKey = v.InferOutput<typeof NewKey>;

export const KeyUpdate = v.pipe(
  atLeastOne({
    name: v.optional(name),
    scopes: v.optional(newScopes),
    expiresAt: v.optional(
      v.pipe(
        v.nullable(futureTime('Until when the key is valid.')),
        v.description('When the key expires; `null` makes it valid until it is revoked.'),
        v.metadata({ anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] }),
      ),
    ),
  }),
  v.title('KeyUpdate'),
  v.description(
    'The fields of an API key to change. Those that are left out stay as they are. Other fields are ignored; a body of such fields alone is rejected.',
  ),
);
export type KeyUpdate = v.InferOutput<typeof KeyUpdate>;

const id = v.pipe(v.string(), v.description('Identifies the key in the log, in metrics and in calls.'));
const expiresAt = v.optional(time('When the key expires. Absent if it does not.'));

/** How the `id` of a key from `API_KEYS` begins. It is not stored. */
const CONFIGURED = 'env-';
export const configuredId = (digest: string): string => CONFIGURED + digest.slice(0, 8);
export const isConfigured = (id: string): boolean => id.startsWith(CONFIGURED);

export const CurrentKey = v.pipe(
  v.object({ id, name, scopes: keyScopes, expiresAt }),
  v.title('CurrentKey'),
  v.description(
    `The API key of the request. The \`id\` of a key from \`API_KEYS\` begins with \`${CONFIGURED}\`.`,
  ),
);

const author = (change: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.description(
        `The \`id\` of the key that ${change}. Absent if the command line did it, or before this field existed.`,
      ),
    ),
  );

export const Key = v.pipe(
  v.object({
    id,
    name,
    scopes: keyScopes,
    createdAt: time('When the key was created.'),
    expiresAt,
    lastUsedAt: v.optional(time('When it was last used, to ten seconds. Absent if it never was.')),
    revokedAt: v.optional(time('When it was revoked. Absent if it is not.')),
    replacedBy: v.optional(
      v.pipe(v.string(), v.description('The `id` of its successor, if it was rotated.')),
    ),
    createdBy: author('created it'),
    changedBy: author('last changed its name, scopes or expiry'),
    rotatedBy: author('rotated it, which is not its successor'),
    revokedBy: author('revoked it'),
  }),
  v.title('Key'),
  v.description('An API key, without the key itself: only its digest is stored.'),
);
export type Key = v.InferOutput<typeof Key>;

export const Keys = v.pipe(v.array(Key), v.title('Keys'), v.description('API keys, newest first.'));

const secret = v.pipe(
  v.string(),
  v.description('The key itself, which is in no other response. It works at once, in every process.'),
);

export const CreatedKey = v.pipe(
  v.object({ ...Key.pipe[0].entries, key: secret }),
  v.title('CreatedKey'),
  v.description('A new API key.'),
);

/** How long a key that was replaced still works. */
export const DEFAULT_OVERLAP = '24h';

export const KeyRotation = v.pipe(
  v.object({
    overlap: v.optional(
      v.pipe(
        v.string('must be text'),
        v.check((text) => durationMs(text) !== undefined, DURATION_RULE),
        v.transform((text) => durationMs(text) as number),
        v.description('How long the old key still works, such as `30m`, `12h` or `7d`.'),
        v.metadata({ type: 'string' }),
      ),
      DEFAULT_OVERLAP,
    ),
  }),
  v.title('KeyRotation'),
  v.description('How to replace a key. Other fields are ignored; a body of such fields alone is rejected.'),
);

export const RotatedKey = v.pipe(
  v.object({ ...CreatedKey.pipe[0].entries, replaces: Key }),
  v.title('RotatedKey'),
  v.description('A new API key, and the one that it replaces.'),
);

export const keyNotFound = () =>
  new ApiError('key_not_found', 'There is no stored key with this identifier.');

/** The error for a key that is missing, wrong, revoked or expired. The client is not told which. */
export const keyNotValid = (refusal: KeyRefusal) =>
  new ApiError(
    'unauthorized',
    'The API key is missing or invalid. Send it as: Authorization: Bearer <API_KEY>',
    { refusal },
  );

export const insufficientScope = (missingScopes: readonly Scope[], message: string) =>
  new ApiError('insufficient_scope', message, { missingScopes });
