import { type ParsedUrlQuery, parse } from 'node:querystring';

/** The parameters of a query, as many as there are; a repeated one is an array. */
export function parseQuery(text: string): ParsedUrlQuery {
  return parse(text, '&', '=', { maxKeys: 0 });
}
