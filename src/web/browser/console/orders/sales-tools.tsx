import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Order } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import { listAddress } from '../address.ts';
import { type SaleRow, salesCsv } from '../data/csv.ts';
import type { Shop } from '../data/shop.ts';
import { download } from '../parts/download.ts';
import { fileNameOf, type Period } from '../parts/period.ts';
import { reservedAt } from '../parts/time.ts';
import { load, shop } from '../session.ts';

/** The sales of a period on paper, or as a file for a spreadsheet: all of them, whatever is on screen. */
export function SalesTools({ period }: { readonly period: Period }): JSX.Element {
  const isLoading = useSignal(false);
  const withAll = (use: (sales: readonly Order[]) => void) => async () => {
    if (isLoading.peek()) return;
    isLoading.value = true;
    const sales = await loadAll();
    isLoading.value = false;
    if (sales) use(sales);
  };
  const saveFile = withAll((sales) =>
    download(
      fileNameOf('sales', period),
      salesCsv(sales.map((sale) => saleRow(shop(), sale)).filter((row) => row !== undefined)),
    ),
  );
  // The rows that were just loaded are on the page a frame later.
  const printPage = withAll(() => requestAnimationFrame(() => setTimeout(print)));
  const isDisabled = isLoading.value || shop().soldList.ids.value === undefined;
  return (
    <span class="end">
      <button type="button" class="button small" aria-disabled={isDisabled} onClick={printPage}>
        {icon('print')}
        Print
      </button>
      <button type="button" class="button small" aria-disabled={isDisabled} onClick={saveFile}>
        {icon('file')}
        CSV
      </button>
    </span>
  );
}

/** Loads what is new and what is beyond the first ones. Undefined if that fails, or the person has left. */
async function loadAll(): Promise<readonly Order[] | undefined> {
  const address = listAddress.peek();
  const { soldList: list } = shop();
  const isHere = () => listAddress.peek() === address;
  if (list.unseen.peek() > 0) await load(() => list.showUnseen());
  for (let before = ''; isHere() && list.next.peek() !== undefined; ) {
    const next = list.next.peek() ?? '';
    // Without progress it has failed, which the page shows.
    if (next === before) return undefined;
    before = next;
    await load(() => list.more());
  }
  return isHere() ? list.items.peek() : undefined;
}

/** A sale in the words of the page; undefined for an order that is none. */
function saleRow({ cache, categories }: Shop, order: Order): SaleRow | undefined {
  const { id: orderId, petId: animalId, note, completedAt: soldAt, status } = order;
  if (soldAt === undefined) return undefined;
  const animal = cache.animals.peek(animalId);
  return {
    orderId,
    animalId,
    name: animal?.name ?? '',
    category: animal && categories.nameOf(animal.categoryId),
    status: status === 'returned' ? 'Returned' : 'Sold',
    note,
    reservedAt: reservedAt(order),
    soldAt,
    soldBy: cache.latestEvent('order.completed', orderId)?.keyName ?? undefined,
    returnedAt: status === 'returned' ? order.updatedAt : undefined,
  };
}
