import type { MigrationTools } from '../src/db';

/**
 * Lines that repeat another one: a person joined the two names of an account under which one movement was stored twice.
 * A repeated line no longer counts, and the line that stays is not itself repeated.
 */
export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  await createTable('bank_repeated_lines', (t) => {
    t.ulid('line_id').notNullable().primary();
    t.ulid('stays_id').notNullable();
    t.instant('repeated_at').notNullable();
    t.text('repeated_by').notNullable();
    t.text('reason').notNullable();
    t.keys.index(['stays_id'], 'bank_repeated_lines_stays');
    t.keys.foreign('line_id', 'bank_repeated_lines_line').references('id').inTable('bank_statement_lines');
    t.keys.foreign('stays_id', 'bank_repeated_lines_stays_line').references('id').inTable('bank_statement_lines');
  });
  await appendOnly('bank_repeated_lines');
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('bank_repeated_lines');
}
