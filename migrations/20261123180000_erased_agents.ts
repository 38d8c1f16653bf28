import type { MigrationTools } from '../src/db';

/**
 * When an agent's name and phone were erased. From then on the row never changes, so that no later write can return
 * them. An agent is never deleted: confirms and ledger accounts name it.
 */
export async function up({ addColumn, guardRows }: MigrationTools): Promise<void> {
  await addColumn('agents', 'erased_at', 'instant');
  await guardRows('agents', { refuseUpdateWhen: 'old.erased_at is not null' });
}

/** The triggers name the column, so they are replaced by triggers that refuse nothing. The table's drop removes them. */
export async function down({ dropColumn, guardRows }: MigrationTools): Promise<void> {
  await guardRows('agents', { refuseUpdateWhen: '1 = 0', refuseDeleteWhen: '1 = 0' });
  await dropColumn('agents', 'erased_at');
}
