import type { MigrationTools } from '../src/db';

export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  // One row per subscription that we asked for, written before the gateway is called; then the mirror of its state.
  await createTable('subscriptions', (t) => {
    // Ours; the gateway knows the subscription by it, as developer_tracking_id.
    t.ulid('tracking_id').notNullable().primary();
    t.outsideId('reference');
    t.outsideId('live_reference').unique({ indexName: 'subscriptions_live_reference' });
    t.outsideId('agent_id');
    t.millimes('amount_millimes').notNullable();
    t.longText('terms').notNullable();
    t.flag('is_test').notNullable();
    t.code('request_state').notNullable(); // requested | sending | made | refused | unknown
    t.text('request_error');
    t.instant('requested_at').notNullable();
    t.instant('sent_at');
    t.outsideId('subscription_id').unique({ indexName: 'subscriptions_subscription_id' });
    t.outsideId('first_payment_id');
    t.longText('link');
    t.instant('session_ends_at');
    t.outsideId('status');
    t.instant('activated_at');
    t.instant('period_start_at');
    t.instant('period_end_at');
    t.instant('next_charge_at');
    t.count('cycles_completed').notNullable();
    t.flag('cancel_at_period_end').notNullable();
    t.instant('canceled_at');
    t.outsideId('cancellation_initiator');
    t.outsideId('cancellation_reason');
    t.instant('next_look_at');
    t.instant('nudged_at');
    t.instant('last_look_at');
    t.count('looks').notNullable();
    t.count('failed_looks').notNullable();
    t.outsideId('last_look_error');
    t.text('recorded_by').notNullable();
    t.keys.index(['next_look_at'], 'subscriptions_next_look');
    t.keys.index(['request_state', 'requested_at'], 'subscriptions_request');
    t.keys.index(['reference'], 'subscriptions_reference');
  });
  await createTable('subscription_observations', (t) => {
    t.ulid('id').notNullable().primary();
    t.ulid('tracking_id').notNullable();
    t.instant('observed_at').notNullable();
    t.instant('recorded_at').notNullable();
    t.outsideId('status').notNullable();
    t.longText('detail').notNullable();
    t.keys.index(['tracking_id', 'observed_at'], 'subscription_observations_subscription');
  });
  await createTable('subscription_charges', (t) => {
    t.outsideId('payment_id').notNullable().primary();
    t.ulid('tracking_id').notNullable();
    t.outsideId('status').notNullable();
    t.outsideId('method').notNullable();
    t.outsideId('billing_reason').notNullable();
    t.count('attempt');
    t.businessDate('period_start');
    t.businessDate('period_end');
    t.millimes('amount_millimes').notNullable();
    t.millimes('fee_millimes');
    t.millimes('tva_millimes');
    t.instant('created_at');
    t.instant('paid_at');
    t.instant('first_seen_at').notNullable();
    t.instant('last_look_at').notNullable();
    t.reference('item_id');
    t.keys.index(['tracking_id', 'period_start'], 'subscription_charges_subscription');
  });
  await createTable('charge_observations', (t) => {
    t.ulid('id').notNullable().primary();
    t.outsideId('payment_id').notNullable();
    t.instant('observed_at').notNullable();
    t.instant('recorded_at').notNullable();
    t.outsideId('status').notNullable();
    t.millimes('fee_millimes');
    t.millimes('tva_millimes');
    t.longText('detail').notNullable();
    t.keys.index(['payment_id', 'observed_at'], 'charge_observations_charge');
  });
  for (const table of ['subscription_observations', 'charge_observations']) await appendOnly(table);
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  for (const table of ['charge_observations', 'subscription_charges', 'subscription_observations', 'subscriptions']) {
    await dropTable(table);
  }
}
