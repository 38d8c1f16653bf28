import type { MigrationTools } from '../src/db';

/** Pages of breaks by day, and of proposals by the time of their proposal or decision. */
export async function up({ addIndex, dropIndex }: MigrationTools): Promise<void> {
  await addIndex('recon_breaks', ['status', 'since', 'class', 'fingerprint'], 'recon_breaks_status_since');
  await addIndex('break_proposals', ['proposed_at', 'id'], 'break_proposals_proposed');
  await addIndex('break_decisions', ['decided_at', 'proposal_id'], 'break_decisions_decided');
  await dropIndex('recon_breaks', 'recon_breaks_status');
}

export async function down({ addIndex, dropIndex }: MigrationTools): Promise<void> {
  await addIndex('recon_breaks', ['status', 'since'], 'recon_breaks_status');
  await dropIndex('break_decisions', 'break_decisions_decided');
  await dropIndex('break_proposals', 'break_proposals_proposed');
  await dropIndex('recon_breaks', 'recon_breaks_status_since');
}
