import { join } from 'node:path';
import { describe, type TestContext } from 'node:test';
import { temporaryFolder } from '../support/service/service.ts';
import { concurrentCategoriesSuite } from './concurrent-categories.ts';
import { concurrentPreconditionsSuite } from './concurrent-preconditions.ts';
import { eventOrderSuite } from './event-order.ts';
import { versionsSuite } from './versions.ts';

const createUrl = async (t: TestContext) => `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;

describe('SQLite with two instances', () => {
  concurrentPreconditionsSuite(createUrl);
  concurrentCategoriesSuite(createUrl);
  eventOrderSuite(createUrl);
  versionsSuite('sqlite', createUrl);
});
