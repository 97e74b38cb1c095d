import { join } from 'node:path';
import { describe } from 'node:test';
import { temporaryFolder } from '../support/service.ts';
import { importExportSuite } from './import-export.ts';

describe('SQLite', () =>
  importExportSuite(async (t) => `sqlite:${join(await temporaryFolder(t), 'pets.db')}`));
