import type { Portion } from './portion.ts';
import { StoreError } from './store.ts';

type Moved = Record<keyof Portion, number>;

/**
 * Copies all that one store holds into another that is new, with every id, key and date as it is: everything or
 * nothing. The store that is copied is left as it was.
 */
export async function moveStore(from: string, to: string): Promise<Moved> {
  if (!from.startsWith('sqlite:') || !/^postgres(?:ql)?:\/\//.test(to)) {
    throw new StoreError('a store moves from sqlite:… to postgres://…, and no other way');
  }
  const { dump } = await import('./sqlite/dump.ts');
  const { restore } = await import('./postgres/restore.ts');
  const moved: Moved = { pets: 0, orders: 0, keys: 0, onces: 0 };
  await restore(to, counted(dump(from.slice('sqlite:'.length)), moved));
  return moved;
}

function* counted(portions: Iterable<Portion>, moved: Moved): Iterable<Portion> {
  for (const portion of portions) {
    yield portion;
    for (const [part, items] of Object.entries(portion)) moved[part as keyof Portion] += items.length;
  }
}
