import type { MigrationTools } from '../src/db';

export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  await createTable('recon_breaks', (t) => {
    t.ulid('id').notNullable().primary();
    t.reference('fingerprint').notNullable().unique({ indexName: 'recon_breaks_fingerprint' });
    t.code('class').notNullable();
    t.code('status').notNullable();
    t.businessDate('since').notNullable();
    t.millimes('amount_millimes');
    t.longText('subject').notNullable();
    t.instant('opened_at').notNullable();
    t.instant('updated_at').notNullable();
    t.instant('resolved_at');
    t.code('resolution');
    t.keys.index(['status', 'since'], 'recon_breaks_status');
  });
  await createTable('recon_break_events', (t) => {
    t.ulid('break_id').notNullable();
    t.count('position').notNullable();
    t.code('kind').notNullable();
    t.text('actor').notNullable();
    t.instant('at').notNullable();
    t.longText('detail').notNullable();
    t.keys.primary(['break_id', 'position']);
    t.keys.foreign('break_id', 'recon_break_events_break').references('id').inTable('recon_breaks');
  });
  await appendOnly('recon_break_events');
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('recon_break_events');
  await dropTable('recon_breaks');
}
