import type { MigrationTools } from '../src/db';

/** A page of webhooks reads only those of its payment or state. */
export async function up({ addIndex, dropIndex }: MigrationTools): Promise<void> {
  await addIndex('webhook_inbox', ['payment_id', 'received_at', 'id'], 'webhook_inbox_payment_received');
  await addIndex('webhook_inbox', ['state', 'received_at', 'id'], 'webhook_inbox_state_received');
  await dropIndex('webhook_inbox', 'webhook_inbox_payment');
}

export async function down({ addIndex, dropIndex }: MigrationTools): Promise<void> {
  await addIndex('webhook_inbox', ['payment_id'], 'webhook_inbox_payment');
  await dropIndex('webhook_inbox', 'webhook_inbox_state_received');
  await dropIndex('webhook_inbox', 'webhook_inbox_payment_received');
}
