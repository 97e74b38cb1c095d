import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Inventory } from '../../../../client/index.ts';
import { load, may, shop } from '../session.ts';

/**
 * How many animals each of these categories has, which are not counted with the others because they have no name; without those that are not
 * counted yet. They are counted again whenever all animals are.
 */
export function useInventories(categoryIds: readonly bigint[]): ReadonlyMap<bigint, Inventory> {
  const inventories = useSignal<ReadonlyMap<bigint, Inventory>>(new Map());
  const { all } = shop().counts;
  useEffect(() => {
    let isLatest = true;
    const count = (categoryId: bigint) =>
      load(async ({ api }) => {
        const found = await api.read((client, options) => client.getInventory({ ...options, categoryId }));
        if (isLatest) inventories.value = new Map(inventories.peek()).set(categoryId, found);
      });
    if (may('store:read')) for (const categoryId of categoryIds) void count(categoryId);
    return () => {
      isLatest = false;
    };
  }, [categoryIds.join(), all.value]);
  return inventories.value;
}
