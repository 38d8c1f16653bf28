import type { MigrationTools } from '../src/db';

export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  // One row per attempt to collect money, of any channel, written before the gateway is called.
  await createTable('payments', (t) => {
    // Ours; the gateway gets it as developer_tracking_id.
    t.ulid('tracking_id').notNullable().primary();
    t.code('kind').notNullable(); // standard | binding | preauthorization | split | pos | qr | wallet
    t.outsideId('reference');
    // The reference while its session may still be paid: its key decides which of two creations makes the session.
    t.outsideId('live_reference').unique({ indexName: 'payments_live_reference' });
    t.outsideId('agent_id');
    t.millimes('amount_millimes').notNullable();
    t.millimes('our_share_millimes').notNullable();
    t.longText('terms').notNullable();
    t.flag('is_test').notNullable();
    t.code('request_state').notNullable(); // requested | sending | made | refused | unknown | abandoned
    t.text('request_error');
    t.instant('requested_at').notNullable();
    t.instant('sent_at');
    // The gateway's: payment_id, service_transaction_id, operation_uuid or blockchain_ref.
    t.outsideId('gateway_id').unique({ indexName: 'payments_gateway_id' });
    t.longText('link');
    t.instant('session_ends_at');
    t.outsideId('status');
    t.outsideId('settlement_status');
    t.outsideId('method');
    t.millimes('captured_millimes');
    // When it succeeded lies in (succeeded_after, succeeded_until]; the two are equal where the gateway told the time.
    t.instant('succeeded_after');
    t.instant('succeeded_until');
    t.reference('item_id');
    t.instant('next_look_at');
    t.instant('nudged_at');
    t.instant('last_look_at');
    t.count('looks').notNullable();
    t.count('failed_looks').notNullable();
    t.outsideId('last_look_error');
    t.text('recorded_by').notNullable();
    t.keys.index(['next_look_at'], 'payments_next_look');
    t.keys.index(['request_state', 'requested_at'], 'payments_request');
    t.keys.index(['reference'], 'payments_reference');
  });
  await createTable('payment_observations', (t) => {
    t.ulid('id').notNullable().primary();
    t.ulid('tracking_id').notNullable();
    t.code('source').notNullable(); // verify | pos_status | qr_verify | qr_history | wallet_history | capture | cancel | refund
    t.instant('observed_at').notNullable();
    t.instant('recorded_at').notNullable();
    t.outsideId('status').notNullable();
    t.outsideId('settlement_status');
    t.outsideId('method');
    t.millimes('amount_millimes');
    // The decoded body, where it differs from that of the observation before.
    t.longText('detail').notNullable();
    t.keys.index(['tracking_id', 'observed_at'], 'payment_observations_payment');
  });
  // Captures, cancels and refunds: written before the call, which is never sent twice.
  await createTable('payment_operations', (t) => {
    t.ulid('id').notNullable().primary();
    t.ulid('tracking_id').notNullable();
    t.code('kind').notNullable(); // capture | cancel | refund
    // `<tracking_id>:hold` or `<tracking_id>:refund` unless it was refused: its key lets one through.
    t.code('live_key').unique({ indexName: 'payment_operations_live' });
    t.code('state').notNullable(); // sending | done | refused | unknown
    t.millimes('amount_millimes');
    t.outsideId('refund_id');
    t.text('error');
    t.instant('requested_at').notNullable();
    t.instant('ended_at');
    t.instant('next_check_at');
    t.count('checks').notNullable();
    t.text('requested_by').notNullable();
    t.keys.index(['tracking_id'], 'payment_operations_payment');
    t.keys.index(['next_check_at'], 'payment_operations_check');
  });
  await createTable('qr_transactions', (t) => {
    t.outsideId('transaction_unique_id').notNullable().primary();
    // Of our code that was paid; null for a payment that only the merchant's history told.
    t.ulid('tracking_id');
    t.millimes('amount_millimes').notNullable();
    t.outsideId('channel');
    t.instant('paid_at').notNullable();
    t.instant('first_seen_at').notNullable();
    t.reference('item_id');
    t.keys.index(['tracking_id'], 'qr_transactions_payment');
  });
  for (const table of ['payment_observations']) await appendOnly(table);
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  for (const table of ['qr_transactions', 'payment_operations', 'payment_observations', 'payments']) {
    await dropTable(table);
  }
}
