import type { MigrationTools } from '../src/db';

type Row = Readonly<Record<string, unknown>>;

/** What was matched before moves to the tables of today. A match is known by its line, which was matched once. */
export async function up(tools: MigrationTools): Promise<void> {
  const { renameTable, copyRows, dropTable } = tools;
  // First of all: a run by the version before ends before this, or fails, and cannot add a row that is left behind.
  await renameTable('recon_matches', 'old_recon_matches');
  await renameTable('recon_match_items', 'old_recon_match_items');
  await copyRows('old_recon_matches', 'payout_matches', { key: ['line_id'], id: 'id', convert: payoutMatch });
  await copyRows('old_recon_match_items', 'payout_match_items', {
    key: ['item_id'],
    id: 'item_id',
    convert: payoutMatchItem,
  });
  await copyRows('old_recon_matches', 'payout_claimed_lines', {
    key: ['line_id'],
    id: 'line_id',
    convert: (row) => ({ line_id: row['line_id'], match_id: row['line_id'] }),
  });
  await copyRows('old_recon_match_items', 'payout_claimed_items', {
    key: ['item_id'],
    id: 'item_id',
    convert: (row) => ({ item_id: row['item_id'], match_id: row['line_id'] }),
  });
  await dropTable('old_recon_match_items');
  await dropTable('old_recon_matches');
}

/** Nothing moves back: the old tables are made again, empty. For tests; a production database is never rolled back. */
export async function down({ createTable, appendOnly }: MigrationTools): Promise<void> {
  await createTable('recon_matches', (t) => {
    t.ulid('line_id').notNullable().primary();
    t.ulid('run_id').notNullable();
    t.code('model').notNullable();
    t.code('evidence').notNullable();
    t.millimes('gross_millimes').notNullable();
    t.instant('cut_after').notNullable();
    t.instant('cut_until');
    t.ulid('ledger_transaction_id').notNullable();
    t.instant('recorded_at').notNullable();
  });
  await createTable('recon_match_items', (t) => {
    t.reference('item_id').notNullable().primary();
    t.ulid('line_id').notNullable();
    t.millimes('amount_millimes').notNullable();
    t.keys.index(['line_id'], 'recon_match_items_line');
  });
  for (const table of ['recon_matches', 'recon_match_items']) await appendOnly(table);
}

/** The first version matched agents' payments only, without fees, each at its full amount. */
function payoutMatch(row: Row): Row {
  return {
    id: row['line_id'],
    line_id: row['line_id'],
    run_id: row['run_id'],
    kind: 'inferred',
    model: row['model'],
    stream: 'all',
    evidence: row['evidence'],
    gross_millimes: row['gross_millimes'],
    fee_millimes: 0,
    tva_millimes: 0,
    remainder_millimes: 0,
    rest_channel: 'agent',
    claimed_error: null,
    cut_after: row['cut_after'],
    cut_until: row['cut_until'],
    ledger_transaction_id: row['ledger_transaction_id'],
    reason: null,
    recorded_at: row['recorded_at'],
    recorded_by: 'run',
    approved_by: null,
  };
}

function payoutMatchItem(row: Row): Row {
  return {
    match_id: row['line_id'],
    item_id: row['item_id'],
    channel: 'agent',
    amount_millimes: row['amount_millimes'],
    fee_millimes: 0,
    tva_millimes: 0,
    evidence: 'inferred_by_cut',
  };
}
