import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { addAndNext, button, fillForm, nameField, names, openConsole } from './support/console.ts';
import { categoryField, inPanel, panel, storedAnimals } from './support/panel.ts';

const added = (page: Page) => page.locator('.added li');

describe('Adding animals', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('adds a litter in a new category, shows its names before, and takes it back as a whole', async (t) => {
    const { page, service } = (await openConsole(t)) ?? {};
    if (!page || !service) return;
    await fillForm(page, 'Kitten', 'Ragdolls');
    await page.keyboard.press('Enter');
    await page.getByLabel('How many?').fill('11');
    await inPanel(page, 'One more').click();
    await eventuallyEqual(
      () => page.locator('.preview').innerText(),
      'Kitten 1\nKitten 2\nKitten 3\n…\nKitten 12',
    );
    await button(page, 'Add 12 and next').click();
    await added(page).getByText('Kitten 1 to Kitten 12').waitFor();
    await inPanel(page, 'Undo adding 12 animals').waitFor();
    assert.equal(await nameField(page).inputValue(), '');
    assert.equal(await categoryField(page).inputValue(), 'Ragdolls');
    assert.equal((await storedAnimals(service)).length, 12);
    assert.deepEqual((await names(page)).slice(-2), ['Kitten 2', 'Kitten 1']);
    await inPanel(page, 'Undo adding 12 animals').click();
    await inPanel(page, 'Restore 12 animals').waitFor();
    assert.deepEqual(await storedAnimals(service), []);
  });

  it('stays open until what was entered last is added, and closes then', async (t) => {
    const { page, service, front } = (await openConsole(t)) ?? {};
    if (!page || !service || !front) return;
    await fillForm(page, 'Rex');
    front.fault(/^POST /, { status: 403 });
    await button(page, 'Add and close').click();
    await inPanel(page, /^Change .*Rex/).click();
    assert.equal(await nameField(page).inputValue(), 'Rex');
    front.fault();
    await page.mouse.move(0, 0);
    await button(page, 'Add and close').click();
    await panel(page, 'Add animals').waitFor({ state: 'detached' });
    assert.equal((await storedAnimals(service)).length, 1);
  });

  it('mentions an animal of the same name, and adds another one all the same', async (t) => {
    const { page, service } = (await openConsole(t, ['Rex'])) ?? {};
    if (!page || !service) return;
    await fillForm(page, 'rex');
    await page.getByText(/There is .*Rex.* already: id 1/).waitFor();
    await addAndNext(page).click();
    await eventuallyEqual(() => names(page), ['rex', 'Rex']);
  });

  it('leads the keyboard from the name to the category, and to how many there are after that', async (t) => {
    const { page } = (await openConsole(t)) ?? {};
    if (!page) return;
    await fillForm(page, 'Rex', '');
    const boxOf = async (id: string) => page.locator(`#${id}`).boundingBox();
    const focused = () => page.evaluate('document.activeElement.id || document.activeElement.ariaLabel');
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await nameField(page).focus();
      const reached = [];
      for (let index = 0; index < 3; index++) {
        await page.keyboard.press('Tab');
        reached.push(await focused());
      }
      assert.deepEqual(reached, ['add-category', 'One less', 'add-count']);
      const [name, category, count] = [
        await boxOf('add-name'),
        await boxOf('add-category'),
        await boxOf('add-count'),
      ];
      assert.ok(name && category && count);
      assert.ok(count.x > name.x + name.width && category.y > count.y + count.height, `${width}`);
    }
  });

  it('finds a category by a part of its name, without a mouse', async (t) => {
    const prepare = (service: Parameters<typeof storedAnimals>[0]) =>
      service.call('POST', '/v1/categories', { body: { name: 'Golden retrievers' } });
    const { page, service } = (await openConsole(t, [], { prepare })) ?? {};
    if (!page || !service) return;
    await fillForm(page, 'Rex', 'retr');
    await page.getByRole('option', { name: 'Golden retrievers', selected: true }).waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await categoryField(page).inputValue(), 'Golden retrievers');
    await categoryField(page).fill('retr');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: /^New category .*retr/, selected: true }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await eventuallyEqual(async () => (await storedAnimals(service))[0]?.categoryId, 1);
    await eventuallyEqual(() => page.evaluate('document.activeElement.id'), 'add-name');
  });
});
