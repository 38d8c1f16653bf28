import type { MigrationTools } from '../src/db';

/** Reports read ledger transactions by the day on which they happened. */
export async function up({ addIndex }: MigrationTools): Promise<void> {
  await addIndex('ledger_transactions', ['occurred_at'], 'ledger_transactions_occurred');
}

export async function down({ dropIndex }: MigrationTools): Promise<void> {
  await dropIndex('ledger_transactions', 'ledger_transactions_occurred');
}
