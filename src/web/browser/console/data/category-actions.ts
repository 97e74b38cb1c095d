import { short } from '../parts/wording.ts';
import { act, done } from './act.ts';
import { categoryNames, forgetName, setName } from './categories.ts';
import { signedIn } from './session.ts';

export async function renameCategory(id: bigint, name: string): Promise<void> {
  const before = categoryNames.peek().get(id);
  await act(
    [`category-${id}`],
    'Saving…',
    () => renameCategory(id, name),
    async () => {
      const { writes, signal } = signedIn();
      setName(await writes.setCategory(id, { name }, { signal }));
      return done(
        `The category is called ${short(name)}.`,
        before === undefined ? undefined : () => renameCategory(id, before),
      );
    },
  );
}

export async function removeCategory(id: bigint, name: string): Promise<void> {
  await act(
    [`category-${id}`],
    'Removing…',
    () => removeCategory(id, name),
    async () => {
      const { writes, signal } = signedIn();
      await writes.removeCategory(id, { signal });
      forgetName(id);
      return done(`The category ${short(name)} is removed.`, () => renameCategory(id, name));
    },
  );
}
