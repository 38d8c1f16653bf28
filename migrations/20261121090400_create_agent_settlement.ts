import type { MigrationTools } from '../src/db';

export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  await createTable('agent_confirmations', (t) => {
    t.outsideId('transaction_id').notNullable().primary();
    t.outsideId('agent_id').notNullable();
    t.millimes('amount_millimes').notNullable();
    t.digest('fingerprint').notNullable();
    t.ulid('attempt_id').notNullable();
    t.millimes('balance_before_millimes').notNullable();
    t.flag('followed_unavailable').notNullable();
    t.outsideId('token_sub').notNullable();
    t.outsideId('token_jti').notNullable();
    t.instant('received_at').notNullable();
    t.instant('recorded_at').notNullable();
    t.ulid('ledger_transaction_id').notNullable();
    t.keys.index(['received_at', 'transaction_id'], 'agent_confirmations_received');
    t.keys.index(['agent_id', 'received_at'], 'agent_confirmations_agent');
  });
  // What we did not store, and why: one row per distinct call and kind, counted.
  await createTable('confirm_refusals', (t) => {
    t.ulid('id').notNullable().primary();
    t.digest('fingerprint').notNullable();
    t.code('kind').notNullable(); // unknown_agent | invalid_amount | unusable_transaction | identical | conflicting
    t.outsideId('transaction_id');
    t.longText('raw_body').notNullable();
    t.instant('first_at').notNullable();
    t.instant('last_at').notNullable();
    t.count('times').notNullable();
    t.ulid('last_attempt_id').notNullable();
    t.outsideId('token_sub').notNullable();
    t.outsideId('token_jti').notNullable();
    t.keys.unique(['fingerprint', 'kind'], { indexName: 'confirm_refusals_call' });
    t.keys.index(['transaction_id'], 'confirm_refusals_transaction');
  });
  await appendOnly('agent_confirmations');
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('confirm_refusals');
  await dropTable('agent_confirmations');
}
