/** What a test owns is removed when it ends: a test's context or, for what a whole file shares, `{ after }` of node:test. */
export interface Owner {
  after(cleanUp: () => unknown): void;
}
