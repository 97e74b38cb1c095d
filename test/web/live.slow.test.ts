import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { closeBrowser, eventually, openPage, setHidden, signIn } from '../support/browser.ts';
import { type Front, startFront } from '../support/service/front.ts';
import { type Service, startService } from '../support/service/service.ts';
import { addAnimals, button, names, openConsole, signOut } from './support/console.ts';

const PAGE_STEP_MS = 20;

/** How often a stream was opened. A list of events has a limit or an order. */
const streams = ({ requests }: Front) =>
  requests.filter((line) => /^GET \/v1\/events(?:\?after=[^&]*)?$/.test(line)).length;
/** How many streams the service has open. */
const openStreams = async (service: Service) =>
  /^animal_store_\w*streams\w* (\d+)/m.exec((await service.call('GET', '/metrics')).text)?.[1];
const inventories = ({ requests }: Front) => requests.filter((line) => line.includes('/inventory')).length;

/** Until the page, whose stream has just begun, has asked for what happened before. */
async function caughtUp(page: Page, front: Front): Promise<void> {
  await eventually(async () => streams(front), 1);
  await eventually(async () => {
    await page.clock.runFor(100);
    return inventories(front) >= 2;
  }, true);
}

/** From here on no time passes on the page but in `withinPageTime`. The pause has to be in its future; no stream is lost until then. */
const stopClock = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 20_000);

/** Until it holds, within this time of the page. The machine has ten times as long: how fast it is does not matter. */
async function withinPageTime(page: Page, ms: number, holds: () => Promise<boolean>): Promise<void> {
  for (let passed = 0; !(await holds()); passed += PAGE_STEP_MS) {
    assert.ok(passed < ms, `not within ${ms} ms of the page`);
    await sleep(10 * PAGE_STEP_MS);
    await page.clock.runFor(PAGE_STEP_MS);
  }
}

describe('Live', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('a change is told by the stream, long before the page would ask', async (t) => {
    const opened = await openConsole(t, ['Rex'], { clock: true, isolated: true });
    if (!opened) return;
    const { page, service, front } = opened;
    await eventually(() => names(page), ['Rex']);
    await caughtUp(page, front);
    await stopClock(page);
    await addAnimals(service, ['Luna']);
    // Less than the four seconds after which the page would ask.
    await withinPageTime(page, 3000, async () => (await button(page, '1 new animal – show').count()) > 0);
  });

  it('a new name of a category shows at once', async (t) => {
    const opened = await openConsole(t, ['Rex'], { clock: true, isolated: true });
    if (!opened) return;
    const { page, service, front } = opened;
    await eventually(() => names(page), ['Rex']);
    await caughtUp(page, front);
    await stopClock(page);
    const { categoryId } = JSON.parse((await service.call('GET', '/v1/pets/1')).text);
    for (const name of ['Hounds', 'Dogs']) {
      await service.call('PUT', `/v1/categories/${categoryId}`, { body: { name } });
      // Less than the half minute after which names are loaded again in any case.
      await withinPageTime(page, 3000, async () => (await page.getByText(name).count()) > 0);
    }
  });

  it('every tab that is looked at has a stream, and a hidden one has none', async (t) => {
    const opened = await openConsole(t, ['Rex'], { isolated: true });
    if (!opened) return;
    const { page, service, front } = opened;
    const other = await page.context().newPage();
    await other.goto(front.origin);
    await signIn(other);
    await eventually(() => openStreams(service), '2');
    await addAnimals(service, ['Luna']);
    for (const one of [page, other]) await button(one, '1 new animal – show').waitFor();
    await setHidden(other, true);
    await eventually(() => openStreams(service), '1');
    await addAnimals(service, ['Milo']);
    await button(page, '2 new animals – show').waitFor();
    await setHidden(other, false);
    await button(other, '2 new animals – show').waitFor();
    await eventually(() => openStreams(service), '2');
  });

  it('the page asks where a stream does not get through', async (t) => {
    const service = await startService(t);
    const front = await startFront(t, service.port);
    front.fault(/^GET \/v1\/events/, { hold: true });
    const page = await openPage(t, front.origin, { isolated: true });
    if (!page) return;
    await signIn(page);
    await page.getByRole('heading', { name: 'No animals yet' }).waitFor();
    await addAnimals(service, ['Rex']);
    await eventually(() => names(page), ['Rex']);
  });

  it('a key that does not open the changes asks for none, and a person who signs out ends the stream', async (t) => {
    const opened = await openConsole(t, ['Rex'], { isolated: true });
    if (!opened) return;
    const { page, service, front } = opened;
    await eventually(async () => streams(front), 1);
    await signOut(page);
    await eventually(() => openStreams(service), '0');
    const body = { name: 'till', scopes: ['pets:read', 'store:read'] };
    const { key } = JSON.parse((await service.call('POST', '/v1/keys', { body })).text) as { key: string };
    await eventually(async () => (await service.call('GET', '/v1/pets', { key })).status, 200);
    await signIn(page, key);
    await eventually(() => names(page), ['Rex']);
    await addAnimals(service, ['Luna']);
    await button(page, '1 new animal – show').waitFor();
    assert.equal(streams(front), 1);
  });
});
