import type { MigrationTools } from '../src/db';

/** Which lines of the bank a run was to explain: a statement may be accepted after the run, and count from its own day. */
export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  await createTable('recon_run_lines', (t) => {
    t.ulid('run_id').notNullable().primary();
    // Their ids, with spaces between them.
    t.longText('line_ids').notNullable();
    t.keys.foreign('run_id', 'recon_run_lines_run').references('id').inTable('recon_runs');
  });
  await appendOnly('recon_run_lines');
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('recon_run_lines');
}
