import type { KeyScope } from '../../../../client/index.ts';

/** What a key can be allowed to do in the service; `*` is all of it. */
export type Permission = Exclude<KeyScope, '*'>;

/** Whether these scopes allow it. A scope for writing includes reading. */
export function allows(scopes: readonly KeyScope[], permission: Permission): boolean {
  const wanted: readonly KeyScope[] = ['*', permission, permission.replace(':read', ':write') as Permission];
  return wanted.some((scope) => scopes.includes(scope));
}
