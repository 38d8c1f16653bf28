import type { MigrationTools } from '../src/db';

/** The page of a day asks how far runs got, and for matches of an interrupted run, without reading all of them. */
export async function up({ addIndex }: MigrationTools): Promise<void> {
  await addIndex('recon_runs', ['through'], 'recon_runs_through');
  await addIndex('payout_matches', ['run_id'], 'payout_matches_run');
}

export async function down({ dropIndex }: MigrationTools): Promise<void> {
  await dropIndex('payout_matches', 'payout_matches_run');
  await dropIndex('recon_runs', 'recon_runs_through');
}
