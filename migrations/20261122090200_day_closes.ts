import type { MigrationTools } from '../src/db';

export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  // One row: nothing is recorded before its instant any more. Every posting reads it under a shared lock.
  await createTable('ledger_fence', (t) => {
    t.code('name').notNullable().primary();
    t.instant('open_from').notNullable();
  });
  // What would have been recorded in a closed day: it stands at the start of the next open one, and here is where from.
  await createTable('ledger_late_transactions', (t) => {
    t.ulid('ledger_transaction_id').notNullable().primary();
    // What the clock of its writer said.
    t.instant('belongs_at').notNullable();
    t.instant('recorded_at').notNullable();
    t.keys.index(['recorded_at'], 'ledger_late_transactions_recorded');
  });
  // The chain: each day that was closed, and each closing that was taken back, in their order. The number decides which
  // of two at once comes first; the digest is over the content and the digest before it.
  await createTable('day_seals', (t) => {
    t.count('number').notNullable().primary();
    t.code('kind').notNullable(); // closed | reopened
    t.businessDate('business_date').notNullable();
    // The closing that a reopening takes back; null for a closing.
    t.count('reopens_number').unique({ indexName: 'day_seals_reopens' });
    t.ulid('close_id').unique({ indexName: 'day_seals_close' });
    t.longText('content').notNullable();
    t.digest('previous_digest');
    t.digest('digest').notNullable();
    t.instant('recorded_at').notNullable();
    t.text('recorded_by').notNullable();
  });
  // The digest of every row of a closed day. Pages of a closing that was cut off have no seal, and nobody reads them.
  await createTable('day_seal_pages', (t) => {
    t.ulid('close_id').notNullable();
    t.count('position').notNullable();
    t.code('kind').notNullable(); // ledger | match | unmatch | break_event
    t.longText('content').notNullable();
    t.keys.primary(['close_id', 'position']);
  });
  // Up to which event of a break a closing sealed.
  await createTable('day_sealed_breaks', (t) => {
    t.count('number').notNullable();
    t.ulid('break_id').notNullable();
    t.count('through_position').notNullable();
    t.keys.primary(['number', 'break_id']);
    t.keys.index(['break_id'], 'day_sealed_breaks_break');
    t.keys.foreign('number', 'day_sealed_breaks_seal').references('number').inTable('day_seals');
  });
  await createTable('day_reopening_proposals', (t) => {
    t.count('number').notNullable().primary();
    t.text('reason').notNullable();
    t.instant('proposed_at').notNullable();
    t.text('proposed_by').notNullable();
    t.keys.foreign('number', 'day_reopening_proposals_seal').references('number').inTable('day_seals');
  });
  for (const table of ['ledger_late_transactions', 'day_seals', 'day_seal_pages']) await appendOnly(table);
  for (const table of ['day_sealed_breaks', 'day_reopening_proposals']) await appendOnly(table);
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  for (const table of ['day_reopening_proposals', 'day_sealed_breaks', 'day_seal_pages', 'day_seals']) {
    await dropTable(table);
  }
  for (const table of ['ledger_late_transactions', 'ledger_fence']) await dropTable(table);
}
