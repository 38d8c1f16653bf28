import type { Session } from '../db';

/**
 * Writes which items each open break names, so that the breaks of an item are found without reading all breaks. The
 * breaks have the same ids in their JSON; resolved ones have no rows here.
 */
export interface BreakItemStore {
  add(breaks: readonly { readonly id: string; readonly itemIds: readonly string[] }[]): Promise<void>;
  /** Replaces the items of a break. */
  change(id: string, itemIds: readonly string[]): Promise<void>;
  remove(id: string): Promise<void>;
}

export function openBreakItemStore(session: Session): BreakItemStore {
  const add: BreakItemStore['add'] = (breaks) => {
    const rows = breaks.flatMap(({ id, itemIds }) =>
      [...new Set(itemIds)].map((item_id) => ({ item_id, break_id: id })),
    );
    return session.insert([{ table: 'recon_break_items', rows }]);
  };
  const remove: BreakItemStore['remove'] = async (id) => {
    await session('recon_break_items').where('break_id', id).delete();
  };
  return {
    add,
    async change(id, itemIds) {
      await remove(id);
      await add([{ id, itemIds }]);
    },
    remove,
  };
}
