import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Inventory } from '../../../../client/index.ts';
import { load, may, shop } from '../session.ts';

/**
 * How many animals a category has that is not listed, because it has no name; undefined while it is not known. It is counted again whenever
 * all animals are.
 */
export function useInventory(categoryId: bigint): Inventory | undefined {
  const inventory = useSignal<Inventory | undefined>(undefined);
  const { all } = shop().counts;
  useEffect(() => {
    let isLatest = true;
    if (may('store:read'))
      void load(async ({ api }) => {
        const found = await api.read((client, options) => client.getInventory({ ...options, categoryId }));
        if (isLatest) inventory.value = found;
      });
    return () => {
      isLatest = false;
    };
  }, [categoryId, all.value]);
  return inventory.value;
}
