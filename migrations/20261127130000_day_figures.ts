import type { MigrationTools } from '../src/db';

/**
 * Figures by day that each run derives from the ledger, the bank lines and the unpaid items, so that a page reads a few
 * rows for each day instead of all payments. The next run adds what is missing.
 */
export async function up({ createTable }: MigrationTools): Promise<void> {
  await createTable('day_figures', (t) => {
    t.businessDate('business_date').notNullable();
    t.code('channel').notNullable();
    t.count('payment_count').notNullable();
    for (const part of ['succeeded', 'refunded', 'charged', 'settled', 'other', 'closing']) {
      t.millimes(`${part}_millimes`).notNullable();
    }
    t.keys.primary(['business_date', 'channel']);
  });
  await createTable('day_credits', (t) => {
    t.businessDate('business_date').notNullable().primary();
    t.count('credit_count').notNullable();
    t.millimes('credit_millimes').notNullable();
    t.millimes('charged_millimes').notNullable();
    t.count('unexplained_count').notNullable();
    t.millimes('unexplained_millimes').notNullable();
  });
  await createTable('day_cut_offs', (t) => {
    t.businessDate('business_date').notNullable().primary();
    t.ulid('run_id').notNullable();
    t.instant('known_at').notNullable();
    for (const group of ['owing', 'favored', 'processing', 'available', 'late']) {
      t.count(`${group}_count`).notNullable();
      t.millimes(`${group}_millimes`).notNullable();
    }
    t.businessDate('last_due_on');
    t.businessDate('bank_through');
    t.ulid('last_statement_id');
  });
  await createTable('day_expectations', (t) => {
    t.businessDate('business_date').notNullable().primary();
    t.count('item_count').notNullable();
    t.millimes('amount_millimes').notNullable();
  });
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  for (const table of ['day_expectations', 'day_cut_offs', 'day_credits', 'day_figures']) await dropTable(table);
}
