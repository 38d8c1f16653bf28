import type { MigrationTools } from '../src/db';

export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  await createTable('dues', (t) => {
    t.outsideId('reference').notNullable().primary();
    t.outsideId('agent_id').notNullable();
    t.millimes('amount_millimes').notNullable();
    t.businessDate('due_date').notNullable();
    t.text('memo').notNullable();
    t.instant('recorded_at').notNullable();
    t.text('recorded_by').notNullable();
    t.keys.index(['agent_id', 'due_date'], 'dues_agent');
  });
  await createTable('due_cancellations', (t) => {
    t.outsideId('reference').notNullable().primary();
    t.text('reason').notNullable();
    t.instant('recorded_at').notNullable();
    t.text('recorded_by').notNullable();
  });
  await appendOnly('dues');
  await appendOnly('due_cancellations');
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('due_cancellations');
  await dropTable('dues');
}
