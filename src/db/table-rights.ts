/** A right of the runtime user on a table. */
export type TableRight = 'select' | 'insert' | 'update' | 'delete';

const ADDED = ['select', 'insert'] as const;
const CHANGED = ['select', 'insert', 'update'] as const;
/**
 * Rows go while the bank file that brought them is not complete, when their match is taken back, or when the name of
 * their agent changes. Triggers keep the others.
 */
const REMOVABLE = ['select', 'insert', 'delete'] as const;
const CHANGED_AND_REMOVABLE = ['select', 'insert', 'update', 'delete'] as const;

/**
 * The rights of the runtime user on every table, the least with which Millime works. A table that is missing here has
 * none; a test compares the list with the migrated database.
 */
export const TABLE_RIGHTS: Readonly<Record<string, readonly TableRight[]>> = {
  agent_confirmations: ADDED,
  agent_search_words: REMOVABLE,
  agents: CHANGED,
  api_key_revocations: ADDED,
  api_keys: ADDED,
  audit_records: ADDED,
  bank_statement_lines: REMOVABLE,
  bank_account_names: ADDED,
  bank_repeated_lines: ADDED,
  bank_statements: CHANGED_AND_REMOVABLE,
  break_assignments: CHANGED,
  break_decisions: ADDED,
  break_proposals: ADDED,
  charge_observations: ADDED,
  confirm_refusals: CHANGED,
  day_reopening_proposals: ADDED,
  day_seal_pages: ADDED,
  day_sealed_breaks: ADDED,
  day_seals: ADDED,
  due_cancellations: ADDED,
  dues: ADDED,
  gateway_budget: CHANGED,
  gateway_item_fees: ADDED,
  gateway_items: ADDED,
  idempotency_keys: CHANGED_AND_REMOVABLE,
  job_runs: CHANGED,
  ledger_balances: CHANGED,
  ledger_fence: CHANGED,
  ledger_late_transactions: ADDED,
  ledger_transactions: ADDED,
  payment_observations: ADDED,
  payment_operations: CHANGED,
  payments: CHANGED,
  payout_claimed_items: REMOVABLE,
  payout_claimed_lines: REMOVABLE,
  payout_fee_confirmations: ADDED,
  payout_fee_schedules: ADDED,
  payout_marks: ADDED,
  payout_match_items: ADDED,
  payout_match_returns: ADDED,
  payout_matches: ADDED,
  payout_unmatches: ADDED,
  pending_entries: REMOVABLE,
  pending_replacements: REMOVABLE,
  postings: ADDED,
  qr_transactions: CHANGED,
  recon_break_events: ADDED,
  recon_break_items: REMOVABLE,
  recon_breaks: CHANGED,
  recon_run_inputs: ADDED,
  recon_run_lines: ADDED,
  recon_runs: ADDED,
  recon_waiting_items: CHANGED_AND_REMOVABLE,
  recon_waiting_runs: CHANGED_AND_REMOVABLE,
  service_token_revocations: ADDED,
  service_tokens: ADDED,
  statement_acceptances: ADDED,
  statement_exclusions: ADDED,
  statement_file_chunks: REMOVABLE,
  statement_files: REMOVABLE,
  statement_holds: ADDED,
  statement_line_repeats: REMOVABLE,
  statement_loads: CHANGED_AND_REMOVABLE,
  statement_upload_chunks: REMOVABLE,
  statement_upload_quotas: CHANGED,
  statement_uploads: CHANGED_AND_REMOVABLE,
  subscription_charges: CHANGED,
  subscription_observations: ADDED,
  subscriptions: CHANGED,
  webhook_conflicts: ADDED,
  webhook_inbox: CHANGED,
  schema_migrations: ['select'],
  schema_migrations_lock: [],
};
