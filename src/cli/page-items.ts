import { type GenericSchema, parse } from 'valibot';
import { parseJson } from '../contract/json.ts';
import type { Page } from '../store/store.ts';

/** The items of a page, which a store returns as JSON. */
export const itemsOf = <T>(schema: GenericSchema<unknown, T>, { json }: Page): T =>
  parse(schema, parseJson(typeof json === 'string' ? json : new TextDecoder().decode(json)));
