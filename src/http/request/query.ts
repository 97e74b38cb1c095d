import { type ParsedUrlQuery, parse } from 'node:querystring';

const ESCAPE = /%([\da-f]{2})/gi;

/** The parameters of a query. One that is given several times has a list of values. */
export function parseQuery(query: string): ParsedUrlQuery {
  return parse(query, '&', '=', {
    maxKeys: 0,
    ...(isDecodable(query) ? {} : { decodeURIComponent: decodeLeniently }),
  });
}

function isDecodable(query: string): boolean {
  if (!query.includes('%')) return true;
  try {
    decodeURIComponent(query);
    return true;
  } catch {
    return false;
  }
}

/**
 * Replaces what is not UTF-8, as `parse` itself does. But `parse` throws and catches an exception for each broken value, so that a
 * query full of them takes a hundred times as long as any other.
 */
function decodeLeniently(text: string): string {
  const bytes = text.replaceAll(ESCAPE, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return bytes === text ? text : Buffer.from(bytes, 'latin1').toString();
}
