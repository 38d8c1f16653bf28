import type { MigrationTools } from '../src/db';

export async function up({ createTable }: MigrationTools): Promise<void> {
  await createTable('agents', (t) => {
    t.outsideId('agent_id').notNullable().primary();
    t.text('full_name').notNullable();
    t.text('phone').notNullable();
    t.code('status').notNullable(); // open | closed
    t.instant('created_at').notNullable();
    t.instant('updated_at').notNullable();
    t.instant('closed_at');
    t.text('recorded_by').notNullable();
  });
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('agents');
}
