import type { MigrationTools } from '../src/db';

/** Whose turn it is, as a write: nodes of a cluster do not know each other's row locks. */
export async function up({ createTable }: MigrationTools): Promise<void> {
  await createTable('exclusive_turns', (t) => {
    t.code('name').notNullable().primary();
    t.count('taken').notNullable();
  });
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('exclusive_turns');
}
