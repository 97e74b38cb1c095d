import type { Order, Page } from '../../../../client/index.ts';
import { escapeFormula } from '../../../../data/formula.ts';
import { type Animal, shownStatus } from './cache.ts';
import { boundsOf, dayOf, type Period, timeOfDay } from './calendar.ts';
import { MOST } from './list.ts';
import type { Shop } from './shop.ts';
import type { AnimalQuery } from './sources.ts';
import { statusWord } from './text.ts';

type Cell = string | bigint | undefined;

/** Without it, spreadsheets assume another encoding than UTF-8 and show an accented letter as two characters. */
const BYTE_ORDER_MARK = '\ufeff';

/** Spreadsheets replace the digits after the fifteenth with zeros. */
const EXACT_DIGITS = 15;

/** A file for spreadsheets: RFC 4180, in UTF-8 with a byte order mark. */
export const csvFile = (header: readonly string[], rows: Iterable<readonly Cell[]>): string =>
  BYTE_ORDER_MARK + [header, ...rows].map(line).join('');

const line = (cells: readonly Cell[]): string => `${cells.map(written).join(',')}\r\n`;

/** Text is quoted, so that any comma and line break in it is kept. */
function written(cell: Cell): string {
  if (cell === undefined || cell === '') return '';
  return typeof cell === 'bigint' ? exactNumber(cell) : quoted(escapeFormula(cell));
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * A number that a spreadsheet does not round. A leading apostrophe marks a longer one as text, as for names that look like formulas:
 * quotes alone do not stop the conversion, and `="…"` would be a formula, which some spreadsheets do not evaluate in a file and which
 * programs cannot read as a number. Ids of up to 15 digits, which is what the service assigns in practice, stay numbers.
 */
function exactNumber(value: bigint): string {
  const digits = `${value}`.replace('-', '');
  return digits.length <= EXACT_DIGITS ? `${value}` : quoted(`'${value}`);
}

/** The local date and time in a form that spreadsheets in every language take for a date: `2026-11-17 14:02`. */
function localTime(iso: string | undefined): string | undefined {
  if (iso === undefined) return undefined;
  const date = new Date(iso);
  return `${dayOf(date)} ${timeOfDay(date)}`;
}

/** When an order was reserved; undefined for a sale over the counter. */
export const reservedAt = ({ createdAt, completedAt }: Order): string | undefined =>
  createdAt === completedAt ? undefined : createdAt;

/** Receives the number of rows so far, and says whether the file is still wanted. */
export interface Gathering {
  readonly progress: (count: number) => void;
  readonly isWanted: () => boolean;
}

type Row = readonly Cell[];

/** Reads all pages, and every item once. Undefined if the file is no longer wanted. */
async function gather<T extends { readonly id: bigint }>(
  header: readonly string[],
  pageAt: (address: string | undefined) => Promise<Page<T>>,
  rowOf: (item: T) => Row,
  { progress, isWanted }: Gathering,
): Promise<string | undefined> {
  const rows = new Map<bigint, Row>();
  let address: string | undefined;
  do {
    const page = await pageAt(address);
    for (const item of page.items) rows.set(item.id, rowOf(item));
    progress(rows.size);
    address = page.next;
  } while (address !== undefined && isWanted());
  return isWanted() ? csvFile(header, rows.values()) : undefined;
}

const ANIMALS = 'Id,Name,Category,Category id,Status,Note,Reserved on,Sold on'.split(',');
const SALES = 'Order,Animal id,Name,Category,Status,Note,Reserved on,Sold on,Sold by,Returned on'.split(',');

/** A file with every animal that matches, with the orders that explain their status. */
export function gatherAnimals(shop: Shop, query: AnimalQuery, gathering: Gathering) {
  const { animals, cache, categories } = shop;
  const rowOf = (animal: Animal) => {
    const { id, name, categoryId, removed } = animal;
    const order = removed ? undefined : cache.orderOf(animal);
    const times = [order && reservedAt(order), order?.completedAt].map(localTime);
    const status = statusWord(shownStatus(animal));
    return [
      ...[id, name, categories.nameOf(categoryId), categoryId, status, order?.note ?? removed?.reason],
      ...times,
    ];
  };
  return gather(ANIMALS, (address) => animals.page(query, address, MOST), rowOf, gathering);
}

/** A file with every sale of a period and who made it. An undone sale is left out. */
export function gatherSales(shop: Shop, period: Period, gathering: Gathering) {
  const { cache, categories, orders } = shop;
  const completed = boundsOf(period);
  const rowOf = (order: Order) => {
    const { id, petId, status, note, completedAt, completedBy, updatedAt } = order;
    const { name, categoryId } = cache.animals.peek(petId) ?? {};
    const category = categoryId === undefined ? undefined : categories.nameOf(categoryId);
    return [
      ...[id, petId, name, category, statusWord(status), note],
      ...[reservedAt(order), completedAt].map(localTime),
      completedBy,
      localTime(status === 'returned' ? updatedAt : undefined),
    ];
  };
  const pageAt = (address: string | undefined) => orders.page({ completed }, address, MOST);
  return gather(SALES, pageAt, rowOf, gathering);
}
