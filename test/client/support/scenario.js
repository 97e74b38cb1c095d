/**
 * What the client must do on every runtime. Plain JavaScript without anything of Node, so that browsers, Deno, Bun and
 * older Node versions run it as it is. Returns a text that begins with `passed`, or throws.
 *
 * @param {typeof import('../../../src/client/index.ts')} client
 * @param {{ baseUrl: string, apiKey: string }} options
 */
export async function scenario({ AnimalStore, AnimalStoreError }, options) {
  const store = new AnimalStore(options);
  const check = (condition, what) => {
    if (!condition) throw new Error(`failed: ${what}`);
  };
  const failure = (promise) =>
    promise.then(
      () => check(false, 'an error'),
      (error) => error,
    );

  // The gateway of the test loses the response to the first create and answers the next request with 503.
  const categoryIds = [-(2n ** 63n), 2n ** 63n - 1n, 9007199254740993n, -1n, 7];
  for (const categoryId of categoryIds) {
    const created = await store.createPet({ name: `Rex 🐕 ${categoryId}`, categoryId });
    check(created.categoryId === BigInt(categoryId), `categoryId ${categoryId} became ${created.categoryId}`);
  }
  const walked = [];
  for await (const pet of store.pets({ limit: 2 })) walked.push(pet.categoryId);
  check(walked.join() === categoryIds.toReversed().map(BigInt).join(), `the walk: ${walked}`);
  check((await store.getInventory()).available === BigInt(categoryIds.length), 'the inventory');

  const [first] = (await store.listEvents({ limit: 1 })).items;
  const followed = [first.pet.categoryId];
  for await (const { type, pet } of store.events({ after: first.id })) {
    check(type === 'pet.created', `the event ${type}`);
    if (followed.push(pet.categoryId) === categoryIds.length) break;
  }
  check(followed.join() === categoryIds.map(BigInt).join(), `the events: ${followed}`);

  const missing = await failure(store.getPet(2n ** 63n - 1n));
  check(missing instanceof AnimalStoreError && missing.code === 'pet_not_found', `getPet: ${missing}`);
  check(typeof missing.requestId === 'string', 'the request id');
  const controller = new AbortController();
  controller.abort();
  const aborted = await failure(store.listPets({}, { signal: controller.signal }));
  check(aborted.code === 'aborted', `abort: ${aborted}`);
  const unreachable = new AnimalStore({ ...options, baseUrl: 'http://127.0.0.1:2/v1', maxRetries: 1 });
  const lost = await failure(unreachable.getInventory());
  check(lost.code === 'network_error' && lost.status === 0, `connection refused: ${lost}`);
  check(!JSON.stringify(store).includes(options.apiKey), 'the key is hidden');
  return `passed with ${walked.length} animals`;
}
