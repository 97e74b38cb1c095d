import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { closeBrowser, openPage } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { withParts } from '../support/openapi.ts';
import { startService } from '../support/service/service.ts';
import { violations } from './support/axe.ts';
import { inReference, send, tryForm } from './support/reference.ts';

interface Described {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, { content?: Record<string, { examples?: object }> }>>;
}

after(closeBrowser);

describe('The API reference', { concurrency: 2 }, () => {
  inReference('shows every operation, and in guides what all share', {}, async (page, service) => {
    const { text } = await service.call('GET', '/openapi.json');
    const { components, paths } = withParts(JSON.parse(text));
    const operations = Object.values<object>(paths).flatMap((methods): Described[] => Object.values(methods));
    assert.ok(operations.length >= 7);
    const words = (id: string) => page.locator(`section#${id} .words`).innerText();
    const guides = await page.locator('.guide .words').allInnerTexts().then(String);
    for (const { operationId, parameters, responses } of operations) {
      const own = await words(operationId);
      const codes = Object.entries(responses).flatMap(([status, { content }]) => {
        const examples = Object.keys(content?.['application/json']?.examples ?? {});
        return examples.length > 0 ? examples : [status];
      });
      for (const told of [...parameters.map(({ name }) => name), ...codes])
        assert.ok(own.includes(told) || guides.includes(told), `${operationId} ${told}`);
      assert.equal(await page.locator(`.toc a[href="#${operationId}"]`).count(), 1);
    }
    assert.match(await words('updateOrder'), /order_closed/);
    assert.doesNotMatch(await words('updateOrder'), /unauthorized|internal_error/, 'only in the guide');
    for (const name of Object.keys(components.schemas)) await page.locator(`#schema-${name}`).waitFor();
    for (const name of Object.keys(components.headers))
      assert.ok(['DeprecationLink', 'Location'].includes(name) || guides.includes(name), name);
  });

  inReference('guides tell what the document says, once it can be loaded', {}, async (page, service) => {
    const { text } = await service.call('GET', '/openapi.json');
    const body = text
      .replaceAll('"maximum":100,"default":20', '"maximum":77,"default":33')
      .replaceAll('"pets:read"', '"pets:look"')
      .replaceAll('for 24 hours', 'for 25 hours')
      .replaceAll('"412":', '"419":');
    await page.route('**/openapi.json', (route) => route.abort());
    await page.reload();
    await page.getByRole('heading', { name: 'The reference could not be loaded' }).waitFor();
    await page.getByRole('link', { name: 'OpenAPI document' }).waitFor();
    await page.route('**/openapi.json', (route) => route.fulfill({ body }));
    await page.getByRole('button', { name: 'Try again' }).click();
    const guide = (id: string) => page.locator(`.guide#${id}`).innerText();
    assert.match(await guide('paging'), /A list returns 33 items; limit asks for 1 to 77\./);
    assert.match(await guide('authentication'), /pets:look/);
    assert.match(await guide('idempotency'), /for 25 hours/);
    assert.match(await guide('conditional-requests'), /419 precondition_failed/);
  });

  const config = { baseUrl: 'https://shop.example/v1', stagingBaseUrl: 'https://staging.shop.example/v1' };
  inReference('marks stability once, and says where it is', { config }, async (page) => {
    const mark = (id: string) => page.locator(`section#${id} .stability`).innerText();
    assert.equal(await mark('getPet'), 'Deprecated, removed on 5 December 2030');
    assert.equal(await mark('listOrders'), 'Experimental');
    assert.equal(await mark('listPets'), 'Stable');
    assert.equal(await page.locator('section#listOrders abbr').count(), 0);
    assert.notEqual(await page.locator('section#listPets abbr').count(), 0);
    const servers = await page.locator('.servers code').allInnerTexts();
    assert.deepEqual(servers, [config.baseUrl, config.stagingBaseUrl]);
    await page.getByText(`Version 1.0.0, at ${new URL(page.url()).host}/v1`).waitFor();
    assert.equal(await page.getByText('You are here').count(), 0, 'it is at neither of them');
    assert.equal(await page.locator('.brand .mark').count(), 0);
  });

  it('leads to the document without JavaScript', async (t) => {
    const { origin } = await startService(t, { database: 'sqlite::memory:' });
    for (const path of ['/docs', '/']) {
      const page = await openPage(t, origin + path, { javaScriptEnabled: false, isolated: true });
      const link = page?.getByRole('link', { name: /OpenAPI document/ });
      if (link) assert.equal(await link.getAttribute('href'), 'openapi.json');
    }
  });
});

const viewport = { width: 1280, height: 800 };

const isInView = async (one: Locator): Promise<boolean> => {
  const { y = -1, height = 0 } = (await one.boundingBox()) ?? {};
  return y >= 0 && y + height <= viewport.height;
};

/** What scrolls on its own, or has more in it than it shows, within call and answer. */
const SCROLLERS = `[...document.querySelectorAll('.machine, .machine *')]
  .filter((one) => one.checkVisibility() && !one.matches('input, select, svg *'))
  .filter((one) => /auto|scroll|hidden/.test(getComputedStyle(one).overflow))
  .filter((one) => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth)
  .map((one) => one.outerHTML.slice(0, 120))`;

/** What is too small for a thumb. */
const SMALL = `[...document.querySelectorAll('button, summary, input, textarea, .toc li a')]
  .filter((one) => one.checkVisibility() && (one.closest('.search') ?? one).getBoundingClientRect().height < 44)
  .map((one) => one.outerHTML.slice(0, 120))`;
/** One of each kind of thing: axe-core takes a minute for all of them. */
const PARTS = ['.toc', '#errors', '#listPets .machine', '#createPet .machine', '#getPet', '#schema-Pet'];

/** Rules about the page as a whole: they need all of it, and little time. */
const WHOLE = ['landmark-unique', 'landmark-one-main', 'duplicate-id-aria', 'page-has-heading-one'];

// Only colours differ between the themes, and only the layout between the widths.
const LOOKS = [
  { colorScheme: 'light', width: 1280, rules: {} },
  { colorScheme: 'light', width: 320, rules: {} },
  { colorScheme: 'dark', width: 1280, rules: { runOnly: ['color-contrast'] } },
] as const;

describe('The look of the API reference', { concurrency: 2 }, () => {
  for (const { colorScheme, width, rules } of LOOKS) {
    const look = { colorScheme, viewport: { width, height: 860 } };
    inReference(`axe-core finds nothing, ${colorScheme}, ${width} pixels`, look, async (page) => {
      const list = await tryForm(page, 'listPets', 'unknown');
      await send(list);
      await list.locator('.answer').getByText('401 Unauthorized').waitFor();
      const create = await tryForm(page, 'createPet');
      await create.getByRole('button', { name: 'Try it' }).click();
      await create.getByText('Fill in the body first.').waitFor();
      await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`);
      assert.deepEqual(await violations(page, { runOnly: WHOLE }), []);
      assert.deepEqual(await violations(page, rules, PARTS), []);
      await page.getByLabel('Filter the contents').fill('zebra');
      await create.getByRole('button', { name: 'Use the example' }).click();
      await create.getByRole('button', { name: 'Try it' }).click();
      await create.getByRole('button', { name: 'Send: this changes' }).waitFor();
      assert.deepEqual(await violations(page, rules, ['.toc', '#createPet .try']), []);
    });
  }

  inReference('nothing is too wide, too small, or scrolls', { viewport }, async (page, service) => {
    const pets = Array.from({ length: 60 }, (_, number) => ({ name: `Animal ${number}`, categoryId: 7 }));
    await service.call('POST', '/v1/pets/batch', { body: { pets } });
    await tryForm(page, 'createPet');
    const list = await tryForm(page, 'listPets');
    await list.getByLabel('limit').fill('60');
    await send(list);
    // An answer that is higher than the window is shown from its beginning.
    await list.getByText('200 OK').waitFor();
    await eventuallyEqual(() => isInView(list.getByText('200 OK')), true);
    await list.getByText(/\d headers/).click();
    for (const width of [320, 768, 801, 1280, 2560, 390]) {
      await page.setViewportSize({ width, height: 844 });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
      assert.deepEqual(await page.evaluate(SCROLLERS), []);
    }
    assert.deepEqual(await page.evaluate(SMALL), []);
  });

  inReference('call, answer and form stay in view', { id: 'listEvents', viewport }, async (page) => {
    const snippet = page.getByLabel('listEvents as curl', { exact: true });
    await page.evaluate('scrollBy({ top: 400, behavior: "instant" })');
    await eventuallyEqual(() => isInView(snippet), true);
    await page.locator('#listEvents').getByRole('button', { name: 'Try it' }).click();
    const form = page.getByRole('form', { name: 'Try listEvents' });
    await eventuallyEqual(() => isInView(form.getByRole('button', { name: 'Try it' })), true);
    assert.equal(await page.evaluate('document.activeElement.type'), 'password');
  });

  const dark = { id: '%', viewport, colorScheme: 'dark' } as const;
  inReference('the contents mark where one is, and are filtered', dark, async (page) => {
    const current = page.locator('.toc [aria-current]');
    await page.locator('#getPet').getByRole('link', { name: 'GET /pets', exact: true }).first().click();
    await eventuallyEqual(() => current.innerText(), 'List animals\nGET');
    await page.evaluate(`location.hash = 'listOrders.completedBefore'`);
    await eventuallyEqual(() => current.innerText(), 'List orders\nGET');
    await eventuallyEqual(() => isInView(current), true);
    // Otherwise Firefox draws a white scrollbar.
    const colors = await page.evaluate(`getComputedStyle(document.querySelector('.toc')).scrollbarColor`);
    assert.equal(colors, 'rgb(116, 128, 122) rgb(16, 20, 19)');
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'content');
    assert.equal(await page.locator('[tabindex="0"]').count(), 0, 'nothing but controls gets the focus');
    // The filter: / focuses, Enter leads to what was found, Esc clears.
    const links = page.locator('.toc li a');
    const all = await links.count();
    await page.keyboard.press('/');
    await page.keyboard.type('Rename a CATEGORY');
    await eventuallyEqual(() => links.allInnerTexts(), ['Name or rename a category\nPUT']);
    await page.keyboard.press('Enter');
    await eventuallyEqual(() => isInView(page.locator('#setCategory-title')), true);
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await eventuallyEqual(() => links.count(), all);
    await page.keyboard.type('zebra');
    await page.getByText('Nothing found.').waitFor();
  });
});
