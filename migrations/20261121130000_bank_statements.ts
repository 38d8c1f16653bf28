import type { MigrationTools } from '../src/db';

/** Statements as banks write them: several to a file, overlapping, with what is only announced. */
export async function up({ createTable }: MigrationTools): Promise<void> {
  // How far the import of a file has come: loading, imported, posted. What a crash left is loading, and may be removed.
  await createTable('statement_loads', (t) => {
    t.ulid('file_id').notNullable().primary();
    t.code('state').notNullable();
    // 1 while loading, else null: the database decides that one import loads at a time.
    t.count('slot').unique({ indexName: 'statement_loads_slot' });
    // By the clock of the database.
    t.instant('lease_until').notNullable();
    t.instant('started_at').notNullable();
    t.keys.foreign('file_id', 'statement_loads_file').references('id').inTable('statement_files');
  });
  await createTable('bank_statements', (t) => {
    t.ulid('id').notNullable().primary();
    t.ulid('file_id').notNullable();
    t.count('position').notNullable();
    t.code('kind').notNullable();
    t.outsideId('account').notNullable();
    t.code('currency').notNullable();
    // The bank's own id and number; empty when there is none.
    t.text('bank_id').notNullable();
    t.text('number').notNullable();
    t.code('verdict').notNullable();
    // In the smallest unit of the currency. Null when the bank does not say it.
    t.millimes('opening_minor');
    t.millimes('closing_minor');
    t.millimes('credits_minor').notNullable();
    t.millimes('debits_minor').notNullable();
    t.count('entries').notNullable();
    t.count('pending_entries').notNullable();
    // What it says that it covers.
    t.businessDate('from_date');
    t.businessDate('through_date');
    // Of the lines; null for a statement without any.
    t.businessDate('first_date');
    t.businessDate('last_date');
    // The same for two statements that say the same.
    t.digest('fingerprint').notNullable();
    t.longText('notes');
    t.keys.unique(['file_id', 'position'], { indexName: 'bank_statements_position' });
    t.keys.index(['account', 'fingerprint'], 'bank_statements_fingerprint');
    t.keys.index(['account', 'currency', 'last_date'], 'bank_statements_days');
    t.keys.foreign('file_id', 'bank_statements_file').references('id').inTable('statement_files');
  });
  await createTable('bank_statement_lines', (t) => {
    t.ulid('id').notNullable().primary();
    t.ulid('statement_id').notNullable();
    t.count('position').notNullable();
    // Where it starts in the file; null for those that were imported before this was kept.
    t.count('file_line');
    t.outsideId('account').notNullable();
    t.code('currency').notNullable();
    t.businessDate('booking_date').notNullable();
    t.businessDate('value_date');
    t.millimes('amount_minor').notNullable(); // positive: credit
    t.text('counterparty').notNullable();
    t.text('counterparty_account').notNullable();
    t.text('remittance').notNullable();
    t.text('bank_reference').notNullable();
    t.text('end_to_end_id').notNullable();
    t.text('transaction_code').notNullable();
    // The transactions inside a batch, as JSON.
    t.longText('details');
    t.flag('payout_candidate').notNullable();
    t.millimes('balance_after_minor');
    // What makes it the same line in another file; the second one is a repeat.
    t.digest('identity').notNullable().unique({ indexName: 'bank_statement_lines_identity' });
    t.longText('raw').notNullable();
    t.keys.unique(['statement_id', 'position'], { indexName: 'bank_statement_lines_position' });
    t.keys.index(['payout_candidate', 'booking_date'], 'bank_statement_lines_candidates');
    t.keys.index(['account', 'currency', 'booking_date'], 'bank_statement_lines_days');
    t.keys.foreign('statement_id', 'bank_statement_lines_statement').references('id').inTable('bank_statements');
  });
  // A line that another statement brought first.
  await createTable('statement_line_repeats', (t) => {
    t.ulid('statement_id').notNullable();
    t.count('position').notNullable();
    t.ulid('line_id').notNullable();
    t.keys.primary(['statement_id', 'position']);
    t.keys.index(['line_id'], 'statement_line_repeats_line');
    t.keys.foreign('statement_id', 'statement_line_repeats_statement').references('id').inTable('bank_statements');
    t.keys.foreign('line_id', 'statement_line_repeats_first').references('id').inTable('bank_statement_lines');
  });
  // What the bank has announced and not booked: never money in the books.
  await createTable('pending_entries', (t) => {
    t.ulid('id').notNullable().primary();
    t.ulid('statement_id').notNullable();
    t.count('position').notNullable();
    t.code('status').notNullable();
    t.outsideId('account').notNullable();
    t.code('currency').notNullable();
    t.businessDate('booking_date').notNullable();
    t.businessDate('value_date');
    t.millimes('amount_minor').notNullable(); // positive: credit
    t.text('counterparty').notNullable();
    t.text('counterparty_account').notNullable();
    t.text('remittance').notNullable();
    t.text('bank_reference').notNullable();
    t.text('end_to_end_id').notNullable();
    // By which the booked line is found again; null without a reference of the bank.
    t.digest('reference_key');
    t.digest('content_key').notNullable();
    t.longText('raw').notNullable();
    t.keys.unique(['statement_id', 'position'], { indexName: 'pending_entries_position' });
    t.keys.index(['account', 'reference_key'], 'pending_entries_reference');
    t.keys.index(['account', 'content_key'], 'pending_entries_content');
    t.keys.foreign('statement_id', 'pending_entries_statement').references('id').inTable('bank_statements');
  });
  // A pending entry and the line with which the bank booked it.
  await createTable('pending_replacements', (t) => {
    t.ulid('pending_id').notNullable().primary();
    t.ulid('line_id').notNullable();
    t.instant('replaced_at').notNullable();
    t.keys.index(['line_id'], 'pending_replacements_line');
    t.keys.foreign('pending_id', 'pending_replacements_pending').references('id').inTable('pending_entries');
    t.keys.foreign('line_id', 'pending_replacements_booked').references('id').inTable('bank_statement_lines');
  });
  // A statement that proves itself and contradicts another: it does not count until somebody accepts it.
  await createTable('statement_holds', (t) => {
    t.ulid('statement_id').notNullable().primary();
    t.code('kind').notNullable(); // overlap
    t.instant('held_at').notNullable();
    t.keys.foreign('statement_id', 'statement_holds_statement').references('id').inTable('bank_statements');
  });
  // A person took responsibility for a statement that is held.
  await createTable('statement_acceptances', (t) => {
    t.ulid('statement_id').notNullable().primary();
    t.instant('accepted_at').notNullable();
    t.text('accepted_by').notNullable();
    t.text('reason').notNullable();
    t.keys.foreign('statement_id', 'statement_acceptances_statement').references('id').inTable('bank_statements');
  });
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  for (const table of [
    ...['statement_acceptances', 'statement_holds', 'pending_replacements', 'pending_entries'],
    ...['statement_line_repeats', 'bank_statement_lines', 'bank_statements', 'statement_loads'],
  ]) {
    await dropTable(table);
  }
}
