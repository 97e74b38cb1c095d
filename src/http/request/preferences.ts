/** An unclosed quote extends to the end, so that any text is scanned only once. */
const PREFERENCE = /(?:[^,"]|"(?:[^"\\]|\\.)*(?:"|\\?$))+/g;
const HANDLING = /^\s*handling\s*=\s*(?:"([^"]*)"|([^\s;]*))/i;

/** Whether the Prefer header asks for `handling=strict` (RFC 7240). Of several preferences the first counts. */
export function prefersStrict(prefer: string): boolean {
  for (const preference of prefer.match(PREFERENCE) ?? []) {
    const [, quoted, bare] = HANDLING.exec(preference) ?? [];
    const value = quoted ?? bare;
    if (value !== undefined) return value.toLowerCase() === 'strict';
  }
  return false;
}

const WEIGHT = /;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*(?:;|$)/i;

/**
 * Whether an Accept header (RFC 9110) names `type` and gives it at least the weight of JSON; if it names both with the same weight,
 * JSON wins. A wildcard alone means JSON, as it does for every other answer.
 */
export function prefers(type: string, accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const weights = new Map(accept.split(',').map(weightOf));
  const weight = weights.get(type) ?? 0;
  const ofJson = weights.get('application/json');
  if (ofJson !== undefined) return weight > ofJson;
  return weight > 0 && weight >= (weights.get('application/*') ?? weights.get('*/*') ?? 0);
}

function weightOf(range: string): [type: string, weight: number] {
  const [type = ''] = range.split(';', 1);
  return [type.trim().toLowerCase(), Number(WEIGHT.exec(range)?.[1] ?? 1)];
}
