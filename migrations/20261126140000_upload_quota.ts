import type { MigrationTools } from '../src/db';

/** One row, which is locked while the uploads are counted, so that two new ones cannot exceed their limits together. */
export async function up({ createTable }: MigrationTools): Promise<void> {
  await createTable('statement_upload_quotas', (t) => {
    t.code('name').notNullable().primary();
    t.instant('counted_at').notNullable();
  });
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('statement_upload_quotas');
}
