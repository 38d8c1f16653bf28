import type { MigrationTools } from '../src/db';

export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  await createTable('recon_runs', (t) => {
    t.ulid('id').notNullable().primary();
    t.businessDate('through').notNullable();
    t.digest('digest').notNullable();
    t.code('verdict').notNullable();
    t.longText('summary').notNullable();
    t.instant('recorded_at').notNullable();
    t.text('recorded_by').notNullable();
    t.keys.index(['recorded_at'], 'recon_runs_recorded');
  });
  // One row per credit that was resolved; the key decides which of two runs at once may do it.
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
  // The items of each; an item is paid once.
  await createTable('recon_match_items', (t) => {
    t.reference('item_id').notNullable().primary();
    t.ulid('line_id').notNullable();
    t.millimes('amount_millimes').notNullable();
    t.keys.index(['line_id'], 'recon_match_items_line');
  });
  for (const table of ['recon_runs', 'recon_matches', 'recon_match_items']) await appendOnly(table);
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  for (const table of ['recon_match_items', 'recon_matches', 'recon_runs']) await dropTable(table);
}
