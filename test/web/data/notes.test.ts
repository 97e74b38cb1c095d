import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saveNote, setNote } from '../../../src/web/browser/console/data/actions/notes.ts';
import { reserve } from '../../../src/web/browser/console/data/actions/selling.ts';
import { Stream } from '../support/shop.ts';
import { acceptOffer, animal, close, openShopWith, order, outcomeText } from '../support/shop-calls.ts';

test('the note of a customer is used once, and never appears for the next one', async (t) => {
  const { shop } = await openShopWith(t, ['Rex']);
  const draft = shop.notes.of(1n);
  draft.value = 'for Ms Lee';
  await shop.panel.open(undefined);
  assert.equal(shop.notes.of(1n).value, 'for Ms Lee');
  await reserve(shop, animal(shop, 1n), draft.value);
  assert.equal(shop.notes.of(1n).value, undefined);
  const reservation = shop.cache.reservationOf(1n);
  assert.equal(reservation?.note, 'for Ms Lee');
});

test('a note can be added, changed and removed, and each of that undone', async (t) => {
  const { shop } = await openShopWith(t, ['Rex'], (service) => order(service, 1));
  const note = () => shop.cache.reservationOf(1n)?.note;
  const reservation = () => {
    const found = shop.cache.reservationOf(1n);
    assert.ok(found);
    return found;
  };
  await setNote(shop, reservation(), ' for Ms Lee ');
  assert.equal(note(), 'for Ms Lee');
  await setNote(shop, reservation(), '');
  assert.equal(note(), undefined);
  await acceptOffer(shop, 1n, 'Undo');
  assert.equal(note(), 'for Ms Lee');
});

test('a note that someone else has written meanwhile is not replaced unseen, neither by saving nor by Undo', async (t) => {
  const { service, shop } = await openShopWith(t, ['Rex'], (service) => order(service, 1, 'old'));
  const reservation = shop.cache.reservationOf(1n);
  assert.ok(reservation);
  shop.noteEdits.begin(1n, reservation.note);
  shop.noteEdits.of(1n).value = 'mine';
  await service.call('PATCH', '/v1/store/orders/1', { body: { note: 'theirs' } });
  assert.equal(await saveNote(shop, reservation, 'mine'), false);
  assert.match(outcomeText(shop, 1n), /someone else has changed the note/);
  assert.equal(shop.cache.reservationOf(1n)?.note, 'theirs');
  assert.equal(await saveNote(shop, reservation, 'mine'), true);
  await service.call('PATCH', '/v1/store/orders/1', { body: { note: 'theirs again' } });
  await acceptOffer(shop, 1n, 'Undo');
  assert.match(outcomeText(shop, 1n), /Not undone/);
  assert.equal(shop.cache.reservationOf(1n)?.note, 'theirs again');
});

test('a note that is being typed stays when the reservation is cancelled elsewhere', async (t) => {
  const { service, shop } = await openShopWith(t, ['Rex'], (service) => order(service, 1, 'old'));
  const stream = await Stream.open(shop);
  shop.noteEdits.begin(1n, 'old');
  shop.noteEdits.of(1n).value = 'half a note';
  await close(service, 1, 'cancelled');
  await stream.deliverAll();
  assert.equal(shop.noteEdits.of(1n).peek(), undefined);
  assert.equal(shop.notes.of(1n).peek(), 'half a note');
});
