/** The result of one check. Only a problem makes the doctor fail; a notice is worth knowing. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'notice' | 'problem';
  readonly message: string;
  /** What to do about it. */
  readonly advice?: string;
}

type Report = (message: string, advice?: string) => Finding;

/** Functions that make the findings of one check. */
export function findingsOf(check: string): { readonly [S in Finding['status']]: Report } {
  const report =
    (status: Finding['status']): Report =>
    (message, advice) => ({ check, status, message, ...(advice !== undefined && { advice }) });
  return { ok: report('ok'), notice: report('notice'), problem: report('problem') };
}
