import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, openPage, setHidden, signIn } from '../support/browser.ts';
import { openStreams } from '../support/events/event-stream.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { startFront } from '../support/service/front.ts';
import { startService } from '../support/service/service.ts';
import { addAnimals, button, names, openConsole, order, signOut, state } from './support/console.ts';
import { keyWith } from './support/keys.ts';

/** What the header says is wrong. */
const wrong = (page: Page): Promise<string> => page.locator('header').getByRole('status').innerText();

describe('Live', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('what another till does shows without a reload, and the header is silent', async (t) => {
    const opened = await openConsole(t, ['Rex', 'Luna'], { isolated: true });
    if (!opened) return;
    const { page, service } = opened;
    await eventuallyEqual(() => names(page), ['Luna', 'Rex']);
    await order(service, 1);
    await eventuallyEqual(() => state(page, 'Rex'), 'Reserved');
    await service.call('PATCH', '/v1/pets/2', { body: { name: 'Bella' } });
    await eventuallyEqual(() => names(page), ['Bella', 'Rex']);
    // A page without a stream would have asked, and would say so.
    assert.equal(await wrong(page), '');
  });

  it('every tab that is looked at has a stream, a hidden one and one that signs out have none', async (t) => {
    const opened = await openConsole(t, ['Rex'], { isolated: true });
    if (!opened) return;
    const { page, service, front } = opened;
    const other = await page.context().newPage();
    await other.goto(front.origin);
    await signIn(other);
    await eventuallyEqual(() => openStreams(service), 2);
    await addAnimals(service, ['Luna']);
    for (const one of [page, other]) await button(one, '1 new animal – show').waitFor();
    await setHidden(other, true);
    await eventuallyEqual(() => openStreams(service), 1);
    await addAnimals(service, ['Milo']);
    await button(page, '2 new animals – show').waitFor();
    await setHidden(other, false);
    await button(other, '2 new animals – show').waitFor();
    await eventuallyEqual(() => openStreams(service), 2);
    await signOut(page);
    await eventuallyEqual(() => openStreams(service), 1);
  });

  for (const [what, mayFollow] of [
    ['a key that may not follow changes', false],
    ['a proxy that holds the stream back', true],
  ] as const)
    it(`the page asks every few seconds, and the header says so, with ${what}`, async (t) => {
      const service = await startService(t);
      const front = await startFront(t, service.port);
      front.fault(/^GET \/v1\/events/, { hold: true });
      const page = await openPage(t, front.origin, { isolated: true });
      if (!page) return;
      const scopes = ['pets:read', 'store:read', ...(mayFollow ? ['events:read'] : [])];
      await signIn(page, await keyWith(service, scopes));
      await page.getByRole('heading', { name: 'No animals yet' }).waitFor();
      await addAnimals(service, ['Rex']);
      await eventuallyEqual(() => names(page), ['Rex']);
      await eventuallyEqual(() => wrong(page), 'Updated every few seconds');
      if (!mayFollow) return;
      front.fault();
      await eventuallyEqual(() => wrong(page), '');
    });

  it('the header tells since when the page is offline, and is silent again after that', async (t) => {
    const { page } = (await openConsole(t, ['Rex'], { isolated: true })) ?? {};
    if (!page) return;
    await page.context().setOffline(true);
    await page.getByText(/^Offline since \d\d:\d\d$/).waitFor();
    await page.context().setOffline(false);
    await eventuallyEqual(() => wrong(page), '');
  });
});
