import { after, describe, it } from 'node:test';
import { closeBrowser, openPage, setHidden, signIn } from '../support/browser.ts';
import { openStreams } from '../support/events/event-stream.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { startFront } from '../support/service/front.ts';
import { startService } from '../support/service/service.ts';
import { addAnimals, button, names, openConsole, signOut } from './support/console.ts';

describe('Live', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('every tab that is looked at has a stream, and a hidden one has none', async (t) => {
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
    await eventuallyEqual(() => names(page), ['Rex']);
  });

  it('a person who signs out ends the stream', async (t) => {
    const opened = await openConsole(t, ['Rex'], { isolated: true });
    if (!opened) return;
    const { page, service } = opened;
    await eventuallyEqual(() => openStreams(service), 1);
    await signOut(page);
    await eventuallyEqual(() => openStreams(service), 0);
  });
});
