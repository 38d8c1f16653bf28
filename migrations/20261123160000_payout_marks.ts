import type { MigrationTools } from '../src/db';

/**
 * Decisions of people on stored credits: whether a credit may be a payout, whatever the pattern of its import found. The
 * last row of a line counts, and each row changes what held before it.
 */
export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  await createTable('payout_marks', (t) => {
    t.ulid('id').notNullable().primary();
    t.ulid('line_id').notNullable();
    // 1 for the first decision on the line.
    t.count('position').notNullable();
    t.flag('is_payout').notNullable();
    t.text('pattern').notNullable();
    t.instant('decided_at').notNullable();
    t.text('decided_by').notNullable();
    t.text('reason').notNullable();
    t.keys.unique(['line_id', 'position'], { indexName: 'payout_marks_line' });
    t.keys.foreign('line_id', 'payout_marks_of_line').references('id').inTable('bank_statement_lines');
  });
  await appendOnly('payout_marks');
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('payout_marks');
}
