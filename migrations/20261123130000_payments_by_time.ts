import type { MigrationTools } from '../src/db';

/** The list of payments of all channels merges the tables by time, a page at a time. */
export async function up({ addIndex }: MigrationTools): Promise<void> {
  await addIndex('payments', ['requested_at', 'tracking_id'], 'payments_requested');
}

export async function down({ dropIndex }: MigrationTools): Promise<void> {
  await dropIndex('payments', 'payments_requested');
}
