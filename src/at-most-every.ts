/** Returns a function that is true for its first call, and then for one call in each `ms`: for what is reported now and then. */
export function atMostEvery(ms: number): () => boolean {
  let next = 0;
  return () => {
    const now = performance.now();
    if (now < next) return false;
    next = now + ms;
    return true;
  };
}
