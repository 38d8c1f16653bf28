import type { MigrationTools } from '../src/db';

/**
 * Statements that a person excluded. A version of before stored an exclusion in the audit trail only, where `detail` has
 * the reason as JSON.
 */
export async function up({ createTable, copyRows, appendOnly }: MigrationTools): Promise<void> {
  await createTable('statement_exclusions', (t) => {
    t.ulid('statement_id').notNullable().primary();
    t.instant('excluded_at').notNullable();
    t.text('excluded_by').notNullable();
    t.text('reason').notNullable();
    t.keys.foreign('statement_id', 'statement_exclusions_statement').references('id').inTable('bank_statements');
  });
  await copyRows('audit_records', 'statement_exclusions', {
    key: ['id'],
    where: { action: 'statement.left_out' },
    id: 'statement_id',
    convert: ({ subject, at, actor_name: actor, detail }) => ({
      statement_id: String(subject).slice('statement:'.length),
      excluded_at: at,
      excluded_by: actor,
      reason: (JSON.parse(String(detail)) as { reason: string }).reason,
    }),
  });
  await appendOnly('statement_exclusions');
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('statement_exclusions');
}
