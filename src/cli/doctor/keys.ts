import type { ApiKey } from '../../store/store.ts';
import { advised, createKeyCommand, type Given } from '../database.ts';
import { date } from '../io.ts';
import {
  endedInUse,
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

export function checkKeys(given: Given, keys: readonly ApiKey[]): Finding[] {
  const configured = given.config.apiKeys.length;
  const active = keys.filter((key) => stateOf(key) === 'active');
  const findings = keys
    .filter((key) => endedInUse(key, keys) || (expiresSoon(key) && !isReplaced(key, keys)))
    .map((key) => {
      const [end, use] = [date(key.expiresAt), date(key.lastUsedAt)];
      const state = active.includes(key)
        ? `expires at ${end}`
        : `expired at ${end}, and was used until ${use}`;
      return problem(`key ${key.id} (${key.name}) ${state}`, advised(given, ...renewalOf(key, keys)));
    });
  if (active.length + configured === 0)
    findings.push(
      problem('no client can call the service: there is no valid API key', createKeyCommand(given)),
    );
  const revoke = `revoke what is not needed: ${advised(given, 'keys', 'revoke', 'ID')}`;
  const idle = active.filter((key) => hasFullAccess(key) && isIdle(key));
  if (idle.length > 0)
    findings.push(
      notice(
        `full access, but not used for ${IDLE_DAYS} days: ${namesOf(idle)}`,
        `${revoke}. Give new keys only the scopes that they need`,
      ),
    );
  const unused = active.filter((key) => isNeverUsed(key) && !idle.includes(key));
  if (unused.length > 0) findings.push(notice(`never used: ${namesOf(unused)}`, revoke));
  return findings.length > 0
    ? findings
    : [ok(`${active.length + configured} can be used, none expires soon`)];
}

function namesOf(keys: readonly ApiKey[]): string {
  const names = keys.slice(0, MAX_LISTED).map(({ id, name, expiresAt }) => {
    const end = expiresAt ? `, which ends at ${date(expiresAt)}` : '';
    return `${id} (${name})${end}`;
  });
  return names.join(', ') + (keys.length > MAX_LISTED ? ` and ${keys.length - MAX_LISTED} more` : '');
}
