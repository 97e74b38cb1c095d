import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closeBrowser, signIn } from '../support/browser.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import { violations } from './support/axe.ts';
import * as ui from './support/console.ts';
import { keyWith, LOOK_ONLY, TILL } from './support/keys.ts';
import { reserve, sell } from './support/orders.ts';
import { categoryField, inPanel } from './support/panel.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, isolated: true };
const COLOURS = { runOnly: ['color-contrast'] };

/** Only colours differ between the themes, and only the layout between the widths. */
const LOOKS = [
  { colorScheme: 'light', width: 1280, rules: {} },
  { colorScheme: 'dark', width: 1280, rules: COLOURS },
  { colorScheme: 'dark', width: 390, rules: COLOURS },
  { colorScheme: 'light', width: 320, rules: {} },
] as const;

const LONG_NAME = `${'Sir Reginald Fluffington '.repeat(8)}${'W'.repeat(99)}`;
const LONG_NOTE = 'deposit paid, the cage goes with it; '.repeat(26).trim();
const CATEGORY = 'Rabbits and other small mammals '.repeat(3).trim();
const DATE = '\\w+day \\d+ \\w+ \\d{4}';

/** Returns a key that may only look. */
async function seed(service: Service): Promise<string> {
  for (const [id, name] of Object.entries({ 7: 'Dogs', 8: CATEGORY }))
    await service.call('PUT', `/v1/categories/${id}`, { body: { name } });
  const others = [
    { name: 'Milo', categoryId: 8, status: 'sold' },
    { name: 'Nala', categoryId: 9 },
  ];
  await ui.addAnimals(service, ['Rex', 'Luna', 'Kiwi', 'Otis', LONG_NAME, ...others]);
  await reserve(service, 1, 'for Ms Lee');
  await reserve(service, 5, LONG_NOTE);
  await sell(service, 3);
  await service.call('DELETE', '/v1/pets/4?reason=Died');
  await keyWith(service, TILL, 'till 4', 5);
  return keyWith(service, LOOK_ONLY, 'shop window');
}

/** What is to be pressed that a finger would miss. All of a row is its link, and all of a label its field. */
const IS_SMALL = `(one) => one.matches('a, button, input, select, summary') && !one.closest('[aria-hidden=true]') &&
  (one.closest('label') ?? one.closest(one.matches('.name') ? '.row' : '.search') ?? one).getBoundingClientRect().height < 44`;
/** What is not whole, scrolls sideways, or lies beside the page. What is to be pressed is padded. */
const IS_CUT = `(one) => (one.scrollWidth > one.clientWidth && !one.matches('input') && getComputedStyle(one).overflowX !== 'visible') ||
  one.getBoundingClientRect().left < -8 || one.getBoundingClientRect().right > innerWidth + 8`;
/** What one would press, what the browser may leave out, and what is not on white. */
const IS_NOT_FOR_PAPER = `(one) => one.matches('button, input, select, nav a:not([aria-current])') ||
  (one.matches('.row') && getComputedStyle(one).contentVisibility !== 'visible') ||
  (one.matches('body, .card, .row') && !/255, 255, 255|, 0\\)/.test(getComputedStyle(one).backgroundColor))`;

/** What is seen and is wrong. */
const found = (page: Page, isWrong: string): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('body, body *')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.only-heard, .skip'))
    .filter(${isWrong}).map((one) => one.outerHTML.slice(0, 160))`);

/** What is done → the text that shows then. An address, Escape, `field=text`, or the name of what is pressed. */
const WALK = [
  '#/animals → Luna | Reserve .*Nala → Undo | #/animals?status=all → without an order',
  '#/animals?status=pending&order=none → Show all animals | #/animals?status=removed → Died',
  '#/animals?status=all&category=7 → Kiwi | #/animals?status=all&name=rex → 1 animal with',
  '#/animals?status=all&category=7&name=zebra → Clear the search | #/animals?status=sold&category=9 → No animal in',
  '#/animals?animal=99 → No such animal | #/animals?animal=4 → Removed .* by',
  '#/animals?animal=6 → Make available | #/animals?animal=7 → Move it | #/animals?animal=3 → Take back',
  `#/animals?animal=5 → ${LONG_NOTE} | ${LONG_NOTE} → Save`,
  '#/animals?animal=2 > Remove → Given away | Other… → Reason | Escape > Edit → Discard',
  'Name= > Save → Enter a name | Escape → Go on typing',
  'Discard > #/animals > Add animals > Add$ → Enter a name | Name=Pip > Category=Fish > Add$ → Added just now',
  'Escape > #/orders → Sold 2 | #/orders?sold=2025-11-10 → Nothing was sold | To=2025-11-01 → The last day is before',
  '#/activity → Today | #/activity?day=2025-11-10 → No changes',
  '#/categories → All animals | Rename .?Dogs → Rename “ | Name= > Save → Enter a name',
  'Escape > New category → Discard | Escape > Remove .?Dogs > Move and remove → Choose the category',
  'Escape > #/keys → till 4 | Edit .?till 4 → Made by | Rotate → You get a new key',
  'Escape > Revoke → This cannot be undone | Revoke → revoked | #/animals > #/keys > Revoked and ended → revoked by',
  'New key → Make the key | Make the key → Say who | Name=Ana > Make the key → Copy it now',
  'I have it > Menu of → Sign out | Keyboard shortcuts → Press the newest Undo',
];
/** No phone selects. */
const SELECTING =
  '#/animals > Select .?Luna → 1 selected | Move to… → Move 1 animal | Escape > Remove$ → Remove 1 animal | Escape > Select none → Luna';

async function go(page: Page, steps: string): Promise<void> {
  for (const step of steps.split(' > ')) {
    const [label = '', text] = step.split('=');
    if (step.startsWith('#/')) await page.evaluate(`location.hash = '${step}'`);
    else if (step === 'Escape') await page.keyboard.press(step);
    else if (text === undefined) await pressable(page, step).click();
    else await page.getByLabel(label, { exact: true }).filter({ visible: true }).fill(text);
  }
}

/** The last one is the topmost: a dialog lies over the panel, and the panel over the list. */
const pressable = (page: Page, name: string) =>
  ui
    .button(page, new RegExp(`^${name}`))
    .or(page.getByRole('checkbox', { name: new RegExp(`^${name}`) }))
    .or(page.getByText(name, { exact: true }))
    .or(page.locator('summary', { hasText: name }))
    .filter({ visible: true })
    .last();

/** The ring of what has the focus: around it, its row, or the search. */
const RING = `(({ activeElement: one }) => [[one], [one, '::after'], [one.parentElement]].map((of) => getComputedStyle(...of))
  .map(({ outlineStyle, outlineWidth }) => outlineStyle + ' ' + outlineWidth).find((ring) => ring === 'solid 2px') ?? one.outerHTML)(document)`;

describe('The look of the console', { concurrency: 2 }, () => {
  after(closeBrowser);

  for (const { colorScheme, width, rules } of LOOKS) {
    const isPhone = width < 800;
    it(`axe-core finds nothing, ${colorScheme}, ${width} pixels`, async (t) => {
      const look = { ...(isPhone ? PHONE : {}), colorScheme, viewport: { width, height: 844 } };
      const opened = await ui.openConsole(t, [], { ...look, isolated: true });
      if (!opened) return;
      const { page, service, front } = opened;
      const check = async (what: string, text: string) => {
        await page.getByText(new RegExp(text)).filter({ visible: true }).first().waitFor();
        await eventuallyEqual(() => page.locator('[aria-busy=true]').count(), 0);
        assert.deepEqual(await violations(page, rules), [], what);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, what);
        for (const isWrong of isPhone ? [IS_SMALL, IS_CUT] : [])
          assert.deepEqual(await found(page, isWrong), [], what);
      };
      await check('an empty shop', 'No animals yet');
      const key = await seed(service);
      // On a busy machine, the page has shown the first of them meanwhile, and the others wait.
      await go(page, '#/animals?status=sold > #/animals');
      await ui.link(page, 'Nala').waitFor();
      await service.call('POST', '/v1/pets', { body: { name: 'Pip', categoryId: 8 } });
      await check('news', '1 new');
      await ui.button(page, /show$/).click();
      front.fault(/^POST .*orders/, { hold: true });
      await ui.button(page, /^Sell .*Pip/).click();
      await check('selling', 'Selling…');
      await sell(service, 8);
      front.fault();
      await check('a refusal', 'Not sold');
      for (const step of [...(isPhone ? [] : [SELECTING]), ...WALK].flatMap((line) => line.split(' | '))) {
        const [done = '', text = ''] = step.split(' → ');
        await go(page, done);
        await check(done, text);
      }
      await go(page, 'Escape > #/animals');
      await page.context().setOffline(true);
      await check('offline', 'Offline since');
      await page.context().setOffline(false);
      front.fault(/^GET/, { status: 401 });
      await ui.returnTo(page);
      await check('sign in again', 'Sign in again');
      await go(page, 'Sign out > Sign in');
      await check('the sign-in', 'Enter your API key');
      front.fault(/^GET .*pets/, { status: 503 });
      await signIn(page, key);
      await check('a failure', 'could not be loaded');
      await go(page, '#/keys');
      await check('not allowed', 'Your key does not allow this');
    });
  }

  it('on a phone a list is one list, search and tabs stay in sight, a sheet has the focus, and sideways a form is whole', async (t) => {
    const { page } = (await ui.openConsole(t, ui.animalNames(50), PHONE)) ?? {};
    if (!page) return;
    const isInView = async (one: Locator) => {
      const { y = -1, height = 0 } = (await one.boundingBox()) ?? {};
      return y >= 0 && y + height <= (page.viewportSize()?.height ?? 0);
    };
    await ui.link(page, 'Animal 1').scrollIntoViewIfNeeded();
    assert.equal(await page.getByRole('main').getByRole('list').getByRole('listitem').count(), 50);
    assert.equal(await page.getByRole('main').getByRole('list').count(), 1);
    for (const one of [ui.search(page), ui.tab(page, 'Available')]) assert.equal(await isInView(one), true);
    assert.equal(await page.getByRole('checkbox').count(), 0, 'no phone selects');
    await ui.link(page, 'Animal 1').press('Enter');
    await inPanel(page, 'Reserve').waitFor();
    assert.equal(await page.locator('[inert] main').count(), 1, 'the page below cannot be reached');
    await page.keyboard.press('Escape');
    await ui.focused(ui.link(page, 'Animal 1'));
    await page.setViewportSize({ width: 844, height: 390 });
    await ui.button(page, 'Add animals').first().click();
    assert.equal(await isInView(categoryField(page)), true);
  });

  for (const width of [718, 1047])
    it(`paper ${width} pixels wide has the page, light and whole, without what one would press`, async (t) => {
      const prepare = async (service: Service) => {
        await seed(service);
        await ui.closeOrder(service, 3, 'returned');
        await sell(service, 2);
        await ui.addAnimals(service, ui.animalNames(30));
      };
      const options = { prepare, path: '/#/animals?status=all', colorScheme: 'dark' } as const;
      const { page } = (await ui.openConsole(t, [], options)) ?? {};
      if (!page) return;
      await ui.button(page, /^Reserve .*Animal 30/).click();
      await ui.message(page, 'Animal 30 is reserved.');
      await page.setViewportSize({ width, height: 1000 });
      await page.emulateMedia({ media: 'print' });
      for (const [view, text] of Object.entries({
        'animals?status=all&animal=5': `^Animals ${DATE} All 36 .*Animal 30 37 .*${LONG_NAME} 5 .*${LONG_NOTE}`,
        orders: `^Orders ${DATE} Reserved 3 .*${LONG_NOTE}.* Sold on ${DATE}: 1, returned: 1 Sold 1 Today .*Luna`,
        activity: `^Activity ${DATE} Today .*Animal 30 was reserved`,
        categories: `^Categories ${DATE} .*${CATEGORY} .*All animals`,
        keys: `^Keys ${DATE} .*till 4`,
      })) {
        await page.evaluate(`location.hash = '#/${view}'`);
        const shown = async () => (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ').trim();
        await eventually(async () => new RegExp(text).test(await shown()), text);
        for (const isWrong of [IS_NOT_FOR_PAPER, IS_CUT])
          assert.deepEqual(await found(page, isWrong), [], view);
      }
    });

  it('forced colours show what has the focus, which place and tab is chosen, and what a state is', async (t) => {
    const { page } = (await ui.openConsole(t, ['Rex'], { forcedColors: 'active', isolated: true })) ?? {};
    if (!page) return;
    await ui.link(page, 'Rex').waitFor();
    for (let press = 0; press < 18; press++) {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(RING), 'solid 2px');
    }
    const look = (selector: string, part = '') =>
      page.evaluate(`(({ borderBottomColor, outlineStyle, backgroundColor }) => borderBottomColor + outlineStyle + backgroundColor)
        (getComputedStyle(document.querySelector('${selector}'), '${part}'))`);
    for (const chosen of ['.nav > a[aria-current]', '.tabs a[aria-current]'])
      assert.notEqual(await look(chosen), await look(chosen.replace(/\[.*/, ':not($&)')), chosen);
    assert.notEqual(await look('.state.sold', '::before'), await look('.state.available', '::before'));
  });
});
