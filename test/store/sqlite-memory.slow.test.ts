import { conformance, openOn } from './conformance.ts';

conformance('SQLite in memory', (t) => openOn(t, 'sqlite::memory:'), { persistent: false, versioned: true });
