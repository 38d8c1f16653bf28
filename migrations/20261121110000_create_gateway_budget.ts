import type { MigrationTools } from '../src/db';

export async function up({ createTable }: MigrationTools): Promise<void> {
  await createTable('gateway_budget', (t) => {
    t.outsideId('budget_key').notNullable().primary();
    t.longText('value').notNullable();
    t.count('version').notNullable();
    // By the business clock: from then on the row may be forgotten.
    t.instant('keep_until').notNullable();
    t.keys.index(['keep_until'], 'gateway_budget_keep_until');
  });
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('gateway_budget');
}
