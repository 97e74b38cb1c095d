import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isPartText } from '../../../../../contract/folded-text.ts';
import { foldName, SEARCH_TEXT } from '../../../../../contract/name-key.ts';
import { type Animal, animalFrom } from '../../data/cache/animal.ts';
import { tidyName } from '../../data/forms/fields.ts';
import { may, shop } from '../../session.ts';

/** A person who types a name does not ask for every letter of it. */
const PAUSE_MS = 300;
/** One request: where many names contain this one, only the newest are looked through. */
const LIMIT = 100;

/** An animal of the inventory that has one of these names already. It is only a hint: several may have the same name. */
export function useNamesake(names: readonly string[]): Signal<Animal | undefined> {
  const namesake = useSignal<Animal | undefined>(undefined);
  const name = tidyName(shop().addForm.fields.value.name);
  const wanted = names.map(foldName).join('\n');
  useEffect(() => {
    namesake.value = undefined;
    const isSearchable = name !== '' && [...name].length <= SEARCH_TEXT.maxLength && isPartText(name);
    if (!isSearchable || !may('pets:read')) return undefined;
    let isOver = false;
    const timer = setTimeout(async () => {
      const found = await find(name, new Set(wanted.split('\n')));
      if (!isOver) namesake.value = found;
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [name, wanted]);
  return namesake;
}

async function find(name: string, wanted: ReadonlySet<string>): Promise<Animal | undefined> {
  // Without an answer there is no hint.
  const page = await shop()
    .api.read((client, options) => client.listPets({ name, limit: LIMIT }, options))
    .catch(() => undefined);
  const pet = page?.items.find((one) => wanted.has(foldName(one.name)));
  return pet && animalFrom(pet);
}
