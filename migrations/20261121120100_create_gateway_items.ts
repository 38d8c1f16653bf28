import type { MigrationTools } from '../src/db';

export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  // Every amount that the gateway owes us, or takes back, through every channel but the agents': posted when written.
  await createTable('gateway_items', (t) => {
    t.reference('item_id').notNullable().primary();
    t.code('channel').notNullable();
    // Negative for a refund.
    t.millimes('amount_millimes').notNullable();
    // Whose due it pays; null for a customer's payment.
    t.outsideId('agent_id');
    t.reference('refund_of');
    t.instant('occurred_at').notNullable();
    t.instant('recorded_at').notNullable();
    t.ulid('ledger_transaction_id').notNullable();
    t.keys.index(['recorded_at', 'item_id'], 'gateway_items_recorded');
    t.keys.index(['agent_id'], 'gateway_items_agent');
    t.keys.index(['refund_of'], 'gateway_items_refund_of');
  });
  // Fee and TVA of an item: the first report, and the difference that each later one makes.
  await createTable('gateway_item_fees', (t) => {
    t.reference('reference').notNullable().primary();
    t.reference('item_id').notNullable();
    t.code('channel').notNullable();
    t.millimes('fee_millimes').notNullable();
    t.millimes('tva_millimes').notNullable();
    t.instant('recorded_at').notNullable();
    t.ulid('ledger_transaction_id').notNullable();
    t.keys.index(['item_id'], 'gateway_item_fees_item');
  });
  for (const table of ['gateway_items', 'gateway_item_fees']) await appendOnly(table);
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  for (const table of ['gateway_item_fees', 'gateway_items']) await dropTable(table);
}
