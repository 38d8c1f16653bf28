import type { MigrationTools } from '../src/db';

/**
 * Names that people decided on: a name of another account of stored statements, or an account whose number could not be
 * proven. The last row of a name counts, and it always names an account that is not itself joined to another.
 */
export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  await createTable('bank_account_names', (t) => {
    t.ulid('id').notNullable().primary();
    t.outsideId('name').notNullable();
    t.outsideId('account').notNullable();
    t.instant('decided_at').notNullable();
    t.text('decided_by').notNullable();
    t.text('reason').notNullable();
    t.keys.unique(['name', 'account'], { indexName: 'bank_account_names_name' });
  });
  await appendOnly('bank_account_names');
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('bank_account_names');
}
