import type { RequestHeaders } from './headers.ts';

/** Version, trace id, parent id, flags. Later versions may have more fields after these. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(-.*)?$/;

/** The trace id of a valid `traceparent` header (W3C Trace Context), so that the log can be joined with traces. */
export function traceId(headers: RequestHeaders): string | undefined {
  const sent = headers.first('traceparent');
  if (sent === undefined || headers.all('traceparent').length > 1) return undefined;
  const [, version, id, more] = TRACEPARENT.exec(sent) ?? [];
  return version === '00' && more !== undefined ? undefined : id;
}
