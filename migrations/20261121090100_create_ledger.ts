import type { MigrationTools } from '../src/db';

export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  await createTable('ledger_transactions', (t) => {
    t.ulid('id').notNullable().primary();
    t.reference('reference').notNullable().unique({ indexName: 'ledger_transactions_reference' });
    t.code('code').notNullable();
    t.instant('occurred_at').notNullable();
    t.instant('recorded_at').notNullable();
    t.ulid('reverses_id').unique({ indexName: 'ledger_transactions_reverses' });
    t.text('recorded_by').notNullable();
    t.keys.index(['recorded_at'], 'ledger_transactions_recorded');
  });
  await createTable('postings', (t) => {
    t.ulid('transaction_id').notNullable();
    t.count('position').notNullable();
    t.reference('debit_account').notNullable();
    t.reference('credit_account').notNullable();
    t.millimes('amount_millimes').notNullable();
    t.keys.primary(['transaction_id', 'position']);
    t.keys.foreign('transaction_id', 'postings_transaction').references('id').inTable('ledger_transactions');
    t.keys.index(['debit_account', 'transaction_id'], 'postings_debit');
    t.keys.index(['credit_account', 'transaction_id'], 'postings_credit');
  });
  await createTable('ledger_balances', (t) => {
    t.reference('account').notNullable().primary();
    t.millimes('balance_millimes').notNullable();
  });
  await appendOnly('ledger_transactions');
  await appendOnly('postings');
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('ledger_balances');
  await dropTable('postings');
  await dropTable('ledger_transactions');
}
