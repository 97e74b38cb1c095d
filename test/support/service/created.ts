import { type GenericSchema, parse } from 'valibot';
import { Category } from '../../../src/contract/category.ts';
import { parseJson } from '../../../src/contract/json.ts';
import { Order } from '../../../src/contract/order.ts';
import { Pet, Pets } from '../../../src/contract/pet.ts';
import type { Result } from '../../../src/store/store.ts';

/** What a store has created, read from the JSON that it returns. */
const readAs =
  <T>(schema: GenericSchema<unknown, T>) =>
  ({ json }: Pick<Result, 'json'>): T =>
    parse(schema, parseJson(json));

export const petIn = readAs(Pet);
export const petsIn = readAs(Pets);
export const orderIn = readAs(Order);
export const categoryIn = readAs(Category);
