import type { KeyScope } from '../../../../client/index.ts';
import type { Route } from '../route.ts';
import { session } from './session.ts';

/** What a key can be allowed to do in the service; `*` is all of it. */
export type Permission = Exclude<KeyScope, '*'>;

/** Whether these scopes allow it. A scope for writing includes reading. */
export function allows(scopes: readonly KeyScope[], permission: Permission): boolean {
  const wanted: readonly KeyScope[] = ['*', permission, permission.replace(':read', ':write') as Permission];
  return wanted.some((scope) => scopes.includes(scope));
}

/** Whether the key of this session allows it. The page shows only what it does. */
export const may = (permission: Permission): boolean =>
  session.value !== undefined && allows(session.value.key.scopes, permission);

const needed: Readonly<Record<Route['view'], Permission | undefined>> = {
  animals: 'pets:read',
  removed: 'pets:read',
  categories: 'pets:read',
  orders: 'store:read',
  activity: 'events:read',
  keys: 'keys:read',
  more: undefined,
};

/** Whether the key opens what is shown there. */
export function mayOpen(view: Route['view']): boolean {
  const permission = needed[view];
  return permission === undefined || may(permission);
}
