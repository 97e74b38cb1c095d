import type { Order } from '../../../../client/index.ts';
import { escapeFormula } from '../../../../data/formula.ts';
import { shownStatus } from './cache.ts';
import { boundsOf, dayOf, type Period, timeOfDay } from './calendar.ts';
import { MOST } from './list.ts';
import type { Shop } from './shop.ts';
import type { AnimalQuery } from './sources.ts';

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
 * A number that a spreadsheet does not round. One that is too long is marked as text with a leading apostrophe, the same mark as for names that look
 * like formulas: quotes alone do not stop the conversion, and `="…"` would be a formula, which some spreadsheets do not evaluate in a file
 * and which programs cannot read as a number. Ids of up to 15 digits, which is what the service assigns in practice, stay numbers.
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

export interface AnimalRow {
  readonly id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  /** The name of its category; undefined if it has none. */
  readonly category: string | undefined;
  /** In the words of the page. */
  readonly status: 'Available' | 'Reserved' | 'Sold' | 'Removed';
  readonly note?: string | undefined;
  readonly reservedAt?: string | undefined;
  readonly soldAt?: string | undefined;
}

const ANIMAL_COLUMNS = [
  'Id',
  'Name',
  'Category',
  'Category id',
  'Status',
  'Note',
  'Reserved on',
  'Sold on',
] as const;

export const animalsCsv = (animals: readonly AnimalRow[]): string =>
  csvFile(
    ANIMAL_COLUMNS,
    animals.map(({ id, name, category, categoryId, status, note, reservedAt, soldAt }) => [
      id,
      name,
      category,
      categoryId,
      status,
      note,
      localTime(reservedAt),
      localTime(soldAt),
    ]),
  );

export interface SaleRow {
  readonly orderId: bigint;
  readonly animalId: bigint;
  readonly name: string;
  /** The name of the animal's category; undefined if it has none. */
  readonly category: string | undefined;
  /** In the words of the page. */
  readonly status: 'Sold' | 'Returned';
  readonly note?: string | undefined;
  /** Undefined for a sale over the counter. */
  readonly reservedAt: string | undefined;
  readonly soldAt: string;
  readonly returnedAt?: string | undefined;
  /** The name of the key; undefined if it is not known any more. */
  readonly soldBy?: string | undefined;
}

const SALE_COLUMNS = [
  'Order',
  'Animal id',
  'Name',
  'Category',
  'Status',
  'Note',
  'Reserved on',
  'Sold on',
  'Sold by',
  'Returned on',
] as const;

export const salesCsv = (sales: readonly SaleRow[]): string =>
  csvFile(
    SALE_COLUMNS,
    sales.map(
      ({ orderId, animalId, name, category, status, note, reservedAt, soldAt, soldBy, returnedAt }) => [
        orderId,
        animalId,
        name,
        category,
        status,
        note,
        localTime(reservedAt),
        localTime(soldAt),
        soldBy,
        localTime(returnedAt),
      ],
    ),
  );

/** When an order was reserved; undefined for a sale over the counter. */
export const reservedAt = ({ createdAt, completedAt }: Order): string | undefined =>
  createdAt === completedAt ? undefined : createdAt;

/** What a file is gathered for: told how many rows there are so far, and asked whether it is still wanted. */
export interface Gathering {
  readonly progress: (count: number) => void;
  readonly isWanted: () => boolean;
}

const STATUS_WORDS = {
  available: 'Available',
  pending: 'Reserved',
  sold: 'Sold',
  removed: 'Removed',
} as const;

/** A file with every animal that matches, with the orders that explain their status. Undefined if it is not wanted any more. */
export async function gatherAnimals(
  { animals, cache, categories }: Shop,
  query: AnimalQuery,
  { progress, isWanted }: Gathering,
): Promise<string | undefined> {
  const rows = new Map<bigint, AnimalRow>();
  let address: string | undefined;
  do {
    const page = await animals.page(query, address, MOST);
    for (const animal of page.items) {
      const { id, name, categoryId, removed } = animal;
      const order = removed ? undefined : cache.orderOf(animal);
      rows.set(id, {
        ...{
          id,
          name,
          categoryId,
          category: categories.nameOf(categoryId),
          status: STATUS_WORDS[shownStatus(animal)],
        },
        ...{ note: order?.note ?? removed?.reason, soldAt: order?.completedAt },
        reservedAt: order && reservedAt(order),
      });
    }
    progress(rows.size);
    address = page.next;
  } while (address !== undefined && isWanted());
  return isWanted() ? animalsCsv([...rows.values()]) : undefined;
}

/** A file with every sale of a period, and who has made it. What was undone is no sale. */
export async function gatherSales(
  shop: Shop,
  period: Period,
  { progress, isWanted }: Gathering,
): Promise<string | undefined> {
  const completed = boundsOf(period);
  if (shop.api.may('events:read'))
    await shop.events.loadAuthors(['order.completed'], completed.from, Number.POSITIVE_INFINITY);
  const rows = new Map<bigint, SaleRow>();
  let address: string | undefined;
  do {
    const page = await shop.orders.page({ completed }, address, MOST);
    for (const order of page.items) {
      const { id, petId, status, note, completedAt = '', updatedAt } = order;
      const animal = shop.cache.animals.peek(petId);
      const isReturned = status === 'returned';
      rows.set(id, {
        ...{ orderId: id, animalId: petId, name: animal?.name ?? '', note, soldAt: completedAt },
        category: animal && shop.categories.nameOf(animal.categoryId),
        status: isReturned ? 'Returned' : 'Sold',
        reservedAt: reservedAt(order),
        returnedAt: isReturned ? updatedAt : undefined,
        soldBy: authorText(shop.cache.authorOf('order.completed', id)),
      });
    }
    progress(rows.size);
    address = page.next;
  } while (address !== undefined && isWanted());
  return isWanted() ? salesCsv([...rows.values()]) : undefined;
}

const authorText = (keyName: string | null | undefined): string | undefined =>
  keyName === null ? 'the command line' : keyName;
