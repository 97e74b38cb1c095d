import { storeOperations } from '../contract/operations/store.ts';
import { type Order, OrderStatus, Orders, orderJson } from '../contract/order.ts';
import type { OrderQuery, Store } from '../store/store.ts';
import { type Command, jsonFlag } from './command.ts';
import { withStore } from './database.ts';
import { readFilters } from './filters.ts';
import { date, tableLines, visible } from './io.ts';
import { writeTo } from './output-file.ts';
import { itemsOf } from './page-items.ts';

const PAGE = 1000;
const HEAD = ['ID', 'ANIMAL', 'STATUS', 'PLACED', 'COMPLETED', 'NOTE'];

export const orders: Command = {
  summary: 'List the orders, newest first.',
  details:
    'With --completed-from or --completed-before, lists what was sold in that time, the latest sale first, even if it was returned later.\n' +
    'For example: animal-store orders --completed-from 2026-11-17T00:00:00+01:00',
  positionals: [],
  settings: ['database'],
  flags: {
    status: {
      type: 'string',
      meaning: `only orders with this status: ${OrderStatus.pipe[0].options.join(', ')}`,
    },
    pet: { type: 'string', multiple: true, meaning: 'only orders of the animal with this id' },
    note: {
      type: 'string',
      meaning: 'only orders whose note contains every word of this text, ignoring case and accents',
    },
    'completed-from': { type: 'string', meaning: 'only orders that were completed at this time or later' },
    'completed-before': { type: 'string', meaning: 'only orders that were completed before this time' },
    json: { ...jsonFlag, meaning: 'print one JSON line per order, for scripts' },
  },
  async run({ config, flags, repeated, io }) {
    const given = { ...flags, ...repeated };
    const { petId: petIds, ...filters } = readFilters(storeOperations.listOrders.query, given, {
      status: 'status',
      pet: 'petId',
      note: 'note',
      'completed-from': 'completedFrom',
      'completed-before': 'completedBefore',
    });
    const format = flags.json ? jsonLines : tableOfOrders();
    await withStore({ config }, (store) =>
      writeTo(io, '-', async (write) => {
        let found = 0;
        for await (const page of pagesOf(store, { ...filters, petIds, limit: PAGE })) {
          found += page.length;
          if (page.length > 0) await write(format(page));
        }
        if (found === 0 && !flags.json) await write('There are no such orders.\n');
      }),
    );
  },
};

/** A page may be empty although others follow. */
async function* pagesOf(store: Store, query: OrderQuery): AsyncGenerator<Order[]> {
  let from: OrderQuery['from'];
  do {
    const page = await store.listOrders({ ...query, from });
    yield itemsOf(Orders, page);
    from = page.next;
  } while (from);
}

const jsonLines = (page: readonly Order[]): string =>
  page.map((order) => `${visible(orderJson(order))}\n`).join('');

function tableOfOrders(): (page: readonly Order[]) => string {
  const lines = tableLines(HEAD);
  return (page) =>
    lines(
      page.map(({ id, petId, status, createdAt, completedAt, note }) => [
        String(id),
        String(petId),
        status,
        date(new Date(createdAt)),
        date(completedAt === undefined ? undefined : new Date(completedAt)),
        note ?? '',
      ]),
    );
}
