import type { MigrationTools } from '../src/db';

/** The side of a difference, which the sign of its amount does not tell. Rows from before get theirs in the next step. */
export async function up({ addColumn }: MigrationTools): Promise<void> {
  await addColumn('recon_breaks', 'direction', 'code');
}

export async function down({ dropColumn }: MigrationTools): Promise<void> {
  await dropColumn('recon_breaks', 'direction');
}
