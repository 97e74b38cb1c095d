import { useSignal } from '@preact/signals';
import type { Order } from '../../../client/index.ts';
import { type Element, h } from '../shared/element.ts';
import { closeOrder } from './actions.ts';
import { confirm } from './confirm.ts';
import { orders, petNames } from './data.ts';
import { StatusFilter } from './filter.ts';
import { focusRow, ListView } from './list-view.ts';
import { statusMark } from './overview.ts';
import { orderStatuses, route, routeHref } from './route.ts';
import { dateAndTime, short, statusLabel } from './wording.ts';

const columns = [
  { title: 'Animal', class: 'name' },
  { title: 'Status', class: 'state' },
  { title: 'Placed', class: 'date' },
  { title: 'Order', class: 'number id' },
  { title: 'Actions', class: 'actions' },
];

export function OrdersView(): Element {
  return h(
    'section',
    { 'aria-labelledby': 'view-title' },
    h('div', { class: 'view-head' }, h('h1', { id: 'view-title', tabIndex: -1 }, 'Orders')),
    h('div', { class: 'toolbar' }, h(StatusFilter, { statuses: orderStatuses })),
    h(
      'div',
      { class: 'card' },
      h(ListView<Order>, {
        list: orders,
        caption: 'Orders',
        columns,
        row,
        empty: h(Empty, {}),
      }),
    ),
  );
}

const row = (order: Order) => [
  h(
    'span',
    { class: 'order-pet' },
    h('bdi', { class: 'pet-name' }, petNames.value.get(order.petId) ?? '…'),
    h('span', { class: 'pet-id' }, 'Animal ', h('span', { class: 'mono' }, `${order.petId}`)),
  ),
  statusMark(order.status),
  h('time', { dateTime: order.createdAt }, dateAndTime(order.createdAt)),
  `${order.id}`,
  h(OrderActions, { order }),
];

function OrderActions({ order }: { readonly order: Order }): Element | null {
  const busy = useSignal(false);
  if (order.status !== 'placed') return null;
  const name = short(petNames.value.get(order.petId) ?? `animal ${order.petId}`);
  const close = async (status: 'completed' | 'cancelled') => {
    if (busy.peek()) return;
    busy.value = true;
    await closeOrder(order, status);
    busy.value = false;
    focusRow(order.id);
  };
  const complete = () =>
    confirm({
      title: `Complete order ${order.id}?`,
      text: `${name} will be marked as sold. This cannot be undone.`,
      yes: 'Complete order',
      no: 'Keep it open',
      accepted: () => void close('completed'),
    });
  const cancel = () =>
    confirm({
      title: `Cancel order ${order.id}?`,
      text: `${name} becomes available again. The order cannot be reopened.`,
      yes: 'Cancel order',
      no: 'Keep it open',
      accepted: () => void close('cancelled'),
    });
  return h(
    'span',
    { class: 'button-group' },
    h(
      'button',
      {
        type: 'button',
        class: 'button small',
        onClick: complete,
        'aria-disabled': busy.value,
        'aria-label': `Complete order ${order.id}`,
      },
      'Complete',
    ),
    h(
      'button',
      {
        type: 'button',
        class: 'button small ghost',
        onClick: cancel,
        'aria-disabled': busy.value,
        'aria-label': `Cancel order ${order.id}`,
      },
      'Cancel',
    ),
  );
}

function Empty(): Element {
  const { status } = route.value;
  return h(
    'div',
    { class: 'empty' },
    h('h2', null, status === undefined ? 'No orders yet' : `No ${statusLabel(status).toLowerCase()} orders`),
    h('p', null, 'Reserve an available animal to place an order.'),
    h(
      'a',
      { class: 'button', href: routeHref({ view: 'animals', status: 'available', name: '' }) },
      'See available animals',
    ),
  );
}
