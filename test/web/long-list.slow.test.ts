import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { Service } from '../support/service/service.ts';
import { button, openConsole, order, refresh, state } from './support/console.ts';

const ANIMALS = 1000;

const addMany = async (service: Service) => {
  for (let from = 1; from <= ANIMALS; from += 100) {
    const pets = Array.from({ length: 100 }, (_, index) => ({
      name: `Animal ${from + index}`,
      categoryId: 7,
    }));
    await service.call('POST', '/v1/pets/batch', { body: { pets } });
  }
};

describe('A long list', () => {
  after(closeBrowser);

  it('has only the rows near the screen on the page, each in its place, and stays up to date', async (t) => {
    const opened = await openConsole(t, [], { prepare: addMany });
    if (!opened) return;
    const { page, service } = opened;
    for (let shown = 100; shown <= ANIMALS; shown += 50) {
      await button(page, 'Show more').click();
      await page
        .locator('.list-end')
        .getByText(shown < ANIMALS ? `${shown} of` : '1,000 animals')
        .waitFor();
    }
    const row = (await page.locator('.row').first().boundingBox())?.height ?? 0;
    const geometry = () =>
      page.evaluate(`(() => {
        const top = document.querySelector('.rows').getBoundingClientRect().top;
        const rows = [...document.querySelectorAll('.row')];
        return {
          rows: rows.length,
          misplaced: rows.filter((one) => {
            const place = ${ANIMALS} - Number(one.querySelector('.id').textContent);
            return Math.abs(one.getBoundingClientRect().top - top - place * ${row}) > 1;
          }).length,
          height: document.querySelector('.list-end').getBoundingClientRect().top - top,
        };
      })()`) as Promise<{ rows: number; misplaced: number; height: number }>;
    const isBounded = async () => {
      const { rows, misplaced, height } = await geometry();
      return rows > 10 && rows < 150 && misplaced === 0 && Math.abs(height - ANIMALS * row) <= 1;
    };
    await eventuallyEqual(isBounded, true);
    await page.evaluate(`scrollTo(0, ${500 * row})`);
    await page.getByText('Animal 500', { exact: true }).waitFor();
    await eventuallyEqual(isBounded, true);
    // The row that has the keyboard is never removed.
    await page.getByRole('link', { name: /^Animal 500/ }).focus();
    await page.evaluate('scrollTo(0, 0)');
    await page.getByText('Animal 1000', { exact: true }).waitFor();
    assert.match(String(await page.evaluate('document.activeElement.innerText')), /^Animal 500\b/);
    await order(service, 990);
    await refresh(opened);
    await eventuallyEqual(() => state(page, 'Animal 990'), 'Reserved');
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    await eventuallyEqual(() => page.locator('.row').count(), ANIMALS);
    await page.evaluate('dispatchEvent(new Event("afterprint"))');
    await eventuallyEqual(isBounded, true);
  });
});
