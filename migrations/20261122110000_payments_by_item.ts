import type { MigrationTools } from '../src/db';

/** Looks that speak against a match are found by its items. Without an index a server may compare all with all. */
export async function up({ addIndex }: MigrationTools): Promise<void> {
  await addIndex('payments', ['item_id'], 'payments_item');
}

export async function down({ dropIndex }: MigrationTools): Promise<void> {
  await dropIndex('payments', 'payments_item');
}
