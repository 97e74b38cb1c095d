import { expiresSoon, isNeverUsed, replacementOf, stateOf } from '../../keys/state.ts';
import type { ApiKey } from '../../store/store.ts';
import { date } from '../key-output.ts';
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
  const expiring = active.filter((key) => expiresSoon(key) && !replacementOf(key, keys));
  const findings = expiring
    .slice(0, MAX_LISTED)
    .map(({ id, name, expiresAt }) =>
      problem(`key ${id} (${name}) expires at ${date(expiresAt)}`, `animal-store keys rotate ${id}`),
    );
  if (expiring.length > MAX_LISTED)
    findings.push(
      problem(`${expiring.length - MAX_LISTED} further keys expire soon`, 'animal-store keys list'),
    );
  const unused = active.filter(isNeverUsed);
  if (unused.length > 0) {
    const names = unused.slice(0, MAX_LISTED).map(({ id, name }) => `${id} (${name})`);
    const rest = unused.length > MAX_LISTED ? ` and ${unused.length - MAX_LISTED} more` : '';
    findings.push(
      notice(
        `never used: ${names.join(', ')}${rest}`,
        'revoke what is not needed: animal-store keys revoke ID',
      ),
    );
  }
  return findings.length > 0
    ? findings
    : [ok(`${active.length + configured} can be used, none expires soon`)];
}
