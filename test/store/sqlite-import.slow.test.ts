import { join } from 'node:path';
import { describe, type TestContext } from 'node:test';
import { temporaryFolder } from '../support/service/service.ts';
import { importExportSuite } from './import-export.ts';
import { importUpdatesSuite } from './import-updates.ts';

const createUrl = async (t: TestContext) => `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;

describe('SQLite', () => {
  importExportSuite(createUrl);
  importUpdatesSuite(createUrl);
});
