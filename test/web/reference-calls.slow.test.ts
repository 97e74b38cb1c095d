import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeBrowser } from '../support/browser.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { KEY, startService } from '../support/service/service.ts';
import { openReference, tryForm } from './support/reference.ts';

const LARGEST = '9223372036854775807';
const PET = `{"id":1,"name":"Rex","categoryId":${LARGEST},"status":"available"}`;

describe('The calls of the API reference', { concurrency: 2 }, () => {
  after(closeBrowser);

  it('have an example of the answer beside them, one for each status', async (t) => {
    const service = await startService(t);
    const page = await openReference(t, service, 'updateOrder');
    if (!page) return;
    const section = page.locator('section#updateOrder');
    const answer = section.getByLabel('Example answer of updateOrder', { exact: true });
    assert.match(await answer.innerText(), /"status": "completed"/);
    await section.getByRole('button', { name: '409' }).click();
    assert.match(await answer.innerText(), /order_closed/);
  });

  it('lead to the next page of an answer', async (t) => {
    const service = await startService(t);
    for (const name of ['Rex', 'Luna', 'Milo'])
      await service.call('POST', '/v1/pets', { body: { name, categoryId: 7 } });
    const page = await openReference(t, service);
    if (!page) return;
    const list = await tryForm(page, 'listPets');
    await list.getByLabel('API key').fill(KEY);
    await list.getByLabel('limit').fill('2');
    await list.getByRole('button', { name: 'Send GET' }).click();
    const isInView = async () => {
      const { y = 0, height = 0 } = (await list.getByLabel('Body of the answer').boundingBox()) ?? {};
      return y + height <= (page.viewportSize()?.height ?? 0);
    };
    await eventuallyEqual(isInView, true);
    await list.getByRole('button', { name: 'Next page' }).click();
    await list.getByText('[{"id":1,"name":"Rex"').waitFor();
    assert.equal(await list.getByRole('button', { name: 'Next page' }).count(), 0);
  });

  it('show status, headers, time and the exact answer', async (t) => {
    const service = await startService(t);
    const page = await openReference(t, service, 'createPet');
    if (!page) return;
    const create = await tryForm(page, 'createPet');
    const answer = create.getByLabel('Body of the answer');
    await create.getByLabel('API key').fill(KEY);
    await create.getByLabel('Body', { exact: true }).fill(`{"name": "Rex", "categoryId": ${LARGEST}}`);
    await create.getByRole('button', { name: 'Send POST' }).click();
    await create.getByText('201 Created').waitFor();
    assert.equal(await answer.innerText(), PET);
    await create.getByText(/\d headers/).click();
    assert.match(await create.getByLabel('Headers of the answer').innerText(), /^x-request-id: \S+$/m);
    assert.match(await create.locator('.answer-line').innerText(), /\d ms/);
    await create.getByRole('button', { name: 'Indent' }).click();
    assert.ok((await answer.innerText()).includes(`  "categoryId": ${LARGEST},\n`));

    const list = await tryForm(page, 'listPets');
    await list.getByLabel('limit').fill('0');
    await list.getByRole('button', { name: 'Send GET' }).click();
    await list.getByText('400 Bad Request').waitFor();
    await list.getByLabel('limit').fill('');
    await list.getByLabel('id', { exact: true }).fill('1, 9');
    await list.getByRole('button', { name: 'Send GET' }).click();
    await list.getByText('200 OK').waitFor();
    assert.equal(await list.getByLabel('Body of the answer').innerText(), `[${PET}]`);

    const get = await tryForm(page, 'getPet');
    await get.getByRole('button', { name: 'Send GET' }).click();
    await get.getByText('Fill in petId first.').waitFor();
  });

  it('do not show an earlier answer when there is none', async (t) => {
    const service = await startService(t);
    const page = await openReference(t, service);
    if (!page) return;
    const list = await tryForm(page, 'listPets');
    await list.getByLabel('API key').fill(KEY);
    await list.getByRole('button', { name: 'Send GET' }).click();
    await list.getByText('200 OK').waitFor();
    await list.getByLabel('API key').fill('日');
    await list.getByRole('button', { name: 'Send GET' }).click();
    await list.getByText('The service did not answer.').waitFor();
    assert.equal(await list.getByText('200 OK').count(), 0);
  });
});
