import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { isByCompletion } from '../../contract/bounded-filters.ts';
import { foldText } from '../../contract/folded-text.ts';
import type { Order } from '../../contract/order.ts';
import type { OrdersOfPet } from '../../contract/rules/pets.ts';
import type { Step, StepResult } from '../search.ts';
import type { OrderQuery, Page } from '../store.ts';
import { tables } from '../tables.ts';
import { pageReader } from './reads/pages.ts';
import { contains, searchSteps } from './reads/search.ts';
import { defineTable, insertInto, itemById, itemStatement, updateIn } from './table.ts';

export const orderTable = defineTable(tables.orders);

export function orderReads(db: DatabaseSync) {
  const byNote = searchSteps(db, orderTable, noteSearch);
  const byCompletion = searchSteps(db, orderTable, completionSearch, (id, key) => ({ id, key: `${key}` }));

  return {
    listOrders: pageReader(db, orderTable) as (query: OrderQuery) => Page,
    /** For a query with a note or a time of completion. */
    searchOrders: (query: OrderQuery, step: Step): StepResult =>
      (isByCompletion(query) ? byCompletion : byNote)(query, step),
    getOrder: itemById(db, orderTable) as (id: bigint) => Order | undefined,
  };
}

type Parameter = (value: SQLInputValue) => string;

const allOf = (conditions: readonly string[]): string =>
  conditions.length === 0 ? 'true' : conditions.join(' AND ');

/** Filters that are answered by an index, or by looking. */
function ofStatusAndPet({ status, petId }: OrderQuery, parameter: Parameter): string[] {
  return [
    ...(status === undefined ? [] : [`status = ${parameter(status)}`]),
    ...(petId === undefined ? [] : [`pet_id = ${parameter(petId)}`]),
  ];
}

const ofNote = ({ note }: OrderQuery, parameter: Parameter): string[] =>
  note === undefined ? [] : [contains('folded_note', parameter(foldText(note)))];

function noteSearch(query: OrderQuery, parameter: Parameter) {
  const { from } = query;
  const begins = from === undefined ? [] : [`id <= ${parameter(from.id)}`];
  return {
    ranges: [allOf([...begins, ...ofStatusAndPet(query, parameter)])],
    matches: allOf(ofNote(query, parameter)),
    text: 'folded_note',
  };
}

/** A range of the index on the time of completion. */
function completionSearch(query: OrderQuery, parameter: Parameter) {
  const { completedFrom, completedBefore, from } = query;
  const range = ['completed_at IS NOT NULL'];
  if (completedFrom) range.push(`completed_at >= ${parameter(completedFrom.getTime())}`);
  if (completedBefore) range.push(`completed_at < ${parameter(completedBefore.getTime())}`);
  if (from) {
    const at = parameter(BigInt(from.key ?? 0));
    range.push(`completed_at <= ${at} AND (completed_at < ${at} OR id <= ${parameter(from.id)})`);
  }
  return {
    ranges: [range.join(' AND ')],
    matches: allOf([...ofStatusAndPet(query, parameter), ...ofNote(query, parameter)]),
    text: 'folded_note',
    key: 'completed_at',
  };
}

export function orderRows(db: DatabaseSync) {
  const insert = insertInto(db, orderTable, { generated: 'id' });

  return {
    order: itemById(db, orderTable) as (id: bigint) => Order | undefined,
    ordersOf: ordersOfPet(db),
    addOrder: (order: Omit<Order, 'id'>): Order => ({ id: insert(order), ...order }),
    changeOrder: updateIn(db, orderTable),
  };
}

/** Reads them only when a rule asks for them: most changes do not depend on them. */
function ordersOfPet(db: DatabaseSync): (petId: bigint) => OrdersOfPet {
  const newest = (status: string) =>
    itemStatement(
      db,
      orderTable,
      `${orderTable.select} WHERE pet_id = ? AND status = '${status}' ORDER BY id DESC LIMIT 1`,
    );
  const [open, sale] = [newest('placed'), newest('completed')];
  return (petId) => ({
    get open() {
      return open(petId);
    },
    get sale() {
      return sale(petId);
    },
  });
}
