import type { MigrationTools } from '../src/db';

export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  await createTable('statement_files', (t) => {
    t.ulid('id').notNullable().primary();
    t.digest('sha256').notNullable().unique({ indexName: 'statement_files_sha256' });
    t.text('name').notNullable();
    t.count('size_bytes').notNullable();
    t.code('format').notNullable();
    t.code('profile').notNullable();
    t.instant('imported_at').notNullable();
    t.text('imported_by').notNullable();
  });
  // The original bytes, gzipped in pieces.
  await createTable('statement_file_chunks', (t) => {
    t.ulid('file_id').notNullable();
    t.count('position').notNullable();
    t.bytes('content').notNullable();
    t.keys.primary(['file_id', 'position']);
    t.keys.foreign('file_id', 'statement_file_chunks_file').references('id').inTable('statement_files');
  });
  await createTable('statements', (t) => {
    t.ulid('id').notNullable().primary();
    t.ulid('file_id').notNullable();
    t.outsideId('account').notNullable();
    // The place of the statement in its account's unbroken chain: 1 for the first.
    t.count('sequence').notNullable();
    t.code('currency').notNullable();
    t.code('verdict').notNullable();
    t.millimes('opening_millimes').notNullable();
    t.millimes('closing_millimes').notNullable();
    t.millimes('credits_millimes').notNullable();
    t.millimes('debits_millimes').notNullable();
    t.count('entries').notNullable();
    // Of the lines; null for a statement without any.
    t.businessDate('first_date');
    t.businessDate('last_date');
    t.keys.unique(['account', 'sequence'], { indexName: 'statements_chain' });
    t.keys.foreign('file_id', 'statements_file').references('id').inTable('statement_files');
  });
  await createTable('statement_lines', (t) => {
    t.ulid('id').notNullable().primary();
    t.ulid('statement_id').notNullable();
    t.count('position').notNullable();
    t.outsideId('account').notNullable();
    t.businessDate('booking_date').notNullable();
    t.businessDate('value_date');
    t.millimes('amount_millimes').notNullable(); // positive: credit
    t.text('counterparty').notNullable();
    t.text('remittance').notNullable();
    t.text('bank_reference').notNullable();
    t.flag('payout_candidate').notNullable();
    t.millimes('balance_after_millimes');
    t.longText('raw').notNullable();
    t.keys.unique(['statement_id', 'position'], { indexName: 'statement_lines_position' });
    t.keys.index(['payout_candidate', 'booking_date'], 'statement_lines_candidates');
    t.keys.foreign('statement_id', 'statement_lines_statement').references('id').inTable('statements');
  });
  for (const table of ['statement_files', 'statement_file_chunks', 'statements', 'statement_lines']) {
    await appendOnly(table);
  }
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  for (const table of ['statement_lines', 'statements', 'statement_file_chunks', 'statement_files']) {
    await dropTable(table);
  }
}
