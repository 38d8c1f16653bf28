import type { MigrationTools } from '../src/db';

const CHARGED_AT = 'coalesce(paid_at, created_at, first_seen_at)';

/**
 * Where the money of a payment is, without reading all open breaks, all unpaid items and all payouts: the items of each
 * open break, the unpaid items as the last run found them, and the newest payouts. The lists of charges and of QR
 * payments by time, the audit records of a key, and the accounts that are paid into.
 */
export async function up({ createTable, deriveRows, addComputedInstant, addIndex }: MigrationTools): Promise<void> {
  await createTable('recon_break_items', (t) => {
    t.reference('item_id').notNullable();
    t.ulid('break_id').notNullable();
    t.keys.primary(['item_id', 'break_id']);
    t.keys.index(['break_id'], 'recon_break_items_break');
  });
  await deriveRows('recon_breaks', 'recon_break_items', {
    id: 'id',
    idAs: 'break_id',
    from: ['status', 'subject'],
    derive: ({ id, status, subject }) =>
      status === 'resolved' ? [] : itemIdsOf(String(subject)).map((item_id) => ({ item_id, break_id: id })),
  });
  await createTable('recon_waiting_items', (t) => {
    t.reference('item_id').notNullable();
    t.code('channel').notNullable();
    t.outsideId('agent_id');
    t.millimes('amount_millimes').notNullable();
    t.instant('succeeded_at').notNullable();
    t.instant('available_at').notNullable();
    t.businessDate('usually_on');
    t.businessDate('due_on');
    t.flag('is_late').notNullable();
    t.keys.primary(['item_id']);
    t.keys.index(['available_at', 'item_id'], 'recon_waiting_items_available');
    t.keys.index(['channel', 'available_at', 'item_id'], 'recon_waiting_items_channel');
    t.keys.index(['agent_id', 'available_at', 'item_id'], 'recon_waiting_items_agent');
  });
  await createTable('recon_waiting_runs', (t) => {
    t.count('position').notNullable();
    t.ulid('run_id').notNullable();
    t.businessDate('through').notNullable();
    t.instant('known_at').notNullable();
    t.keys.primary(['position']);
  });
  const lineOfPayout = ['account', 'currency', 'payout_candidate'];
  await addIndex('bank_statement_lines', lineOfPayout, 'bank_statement_lines_account_payouts');
  await addIndex('payout_matches', ['cut_until', 'id'], 'payout_matches_cut');
  await addComputedInstant('subscription_charges', 'charged_at', CHARGED_AT);
  await addIndex('subscription_charges', ['charged_at', 'payment_id'], 'subscription_charges_charged');
  await addIndex('qr_transactions', ['paid_at', 'transaction_unique_id'], 'qr_transactions_paid');
  await addIndex('subscriptions', ['agent_id'], 'subscriptions_agent');
  await addIndex('audit_records', ['key_id', 'at', 'id'], 'audit_records_key_at');
  await addIndex('payments', ['agent_id', 'requested_at', 'tracking_id'], 'payments_agent_requested');
}

export async function down({ dropTable, dropColumn, dropIndex }: MigrationTools): Promise<void> {
  await dropIndex('payments', 'payments_agent_requested');
  await dropIndex('audit_records', 'audit_records_key_at');
  await dropIndex('subscriptions', 'subscriptions_agent');
  await dropIndex('qr_transactions', 'qr_transactions_paid');
  await dropIndex('subscription_charges', 'subscription_charges_charged');
  await dropColumn('subscription_charges', 'charged_at');
  await dropIndex('payout_matches', 'payout_matches_cut');
  await dropIndex('bank_statement_lines', 'bank_statement_lines_account_payouts');
  await dropTable('recon_waiting_runs');
  await dropTable('recon_waiting_items');
  await dropTable('recon_break_items');
}

function itemIdsOf(subject: string): readonly string[] {
  const { itemIds } = JSON.parse(subject) as { readonly itemIds: readonly string[] };
  return [...new Set(itemIds)];
}
