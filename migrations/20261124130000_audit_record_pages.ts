import type { MigrationTools } from '../src/db';

/** A page of audit records reads only those of its subject or action. An actor's name is too long for an index. */
export async function up({ addIndex, dropIndex }: MigrationTools): Promise<void> {
  await addIndex('audit_records', ['subject', 'at', 'id'], 'audit_records_subject_at');
  await addIndex('audit_records', ['action', 'at', 'id'], 'audit_records_action_at');
  await dropIndex('audit_records', 'audit_records_subject');
}

export async function down({ addIndex, dropIndex }: MigrationTools): Promise<void> {
  await addIndex('audit_records', ['subject'], 'audit_records_subject');
  await dropIndex('audit_records', 'audit_records_action_at');
  await dropIndex('audit_records', 'audit_records_subject_at');
}
