import type { ApiKey } from '../../store/store.ts';
import { date } from '../io.ts';
import {
  expiresSoon,
  hasFullAccess,
  IDLE_DAYS,
  isIdle,
  isNeverUsed,
  isReplaced,
  renewalOf,
  stateOf,
} from '../key-state.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, notice, problem } = findingsOf('keys');

/** More are counted, not listed. */
const MAX_LISTED = 10;

/** `configured` is the number of keys in API_KEYS. */
export function checkKeys(keys: readonly ApiKey[], configured: number): Finding[] {
  const active = keys.filter((key) => stateOf(key) === 'active');
  if (active.length + configured === 0)
    return [
      problem(
        'no client can call the service: there is no valid API key',
        'animal-store keys create --name "till 3"',
      ),
    ];
  const expiring = active.filter((key) => expiresSoon(key) && !isReplaced(key, keys));
  const findings = expiring
    .slice(0, MAX_LISTED)
    .map((key) => problem(`key ${key.id} (${key.name}) expires at ${date(key.expiresAt)}`, renewalOf(key)));
  if (expiring.length > MAX_LISTED)
    findings.push(
      problem(`${expiring.length - MAX_LISTED} further keys expire soon`, 'animal-store keys list'),
    );
  const idle = active.filter((key) => hasFullAccess(key) && isIdle(key));
  if (idle.length > 0)
    findings.push(
      notice(
        `full access, but not used for ${IDLE_DAYS} days: ${namesOf(idle)}`,
        'revoke what is not needed: animal-store keys revoke ID. Give new keys only what they need: animal-store keys create --scopes',
      ),
    );
  const unused = active.filter((key) => isNeverUsed(key) && !idle.includes(key));
  if (unused.length > 0)
    findings.push(
      notice(`never used: ${namesOf(unused)}`, 'revoke what is not needed: animal-store keys revoke ID'),
    );
  return findings.length > 0
    ? findings
    : [ok(`${active.length + configured} can be used, none expires soon`)];
}

function namesOf(keys: readonly ApiKey[]): string {
  const names = keys.slice(0, MAX_LISTED).map(({ id, name }) => `${id} (${name})`);
  return names.join(', ') + (keys.length > MAX_LISTED ? ` and ${keys.length - MAX_LISTED} more` : '');
}
