import type { MigrationTools } from '../src/db';

export async function up({ createTable }: MigrationTools): Promise<void> {
  await createTable('job_runs', (t) => {
    t.code('name').notNullable();
    // The instant of the business clock at which the schedule asked for this run.
    t.instant('window_at').notNullable();
    t.code('status').notNullable(); // running | done | failed
    t.count('fencing').notNullable();
    // By the database's clock, the only one that two machines share.
    t.instant('lease_until').notNullable();
    t.instant('started_at').notNullable();
    t.instant('finished_at');
    t.text('error').notNullable();
    t.keys.primary(['name', 'window_at']);
  });
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('job_runs');
}
