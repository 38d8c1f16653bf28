import type { MigrationTools } from '../src/db';

/** What a webhook reports, read once when it arrives. Rows from before have none, and are read when they are claimed. */
export async function up({ addColumn }: MigrationTools): Promise<void> {
  await addColumn('webhook_inbox', 'facts', 'longText');
  await addColumn('webhook_conflicts', 'facts', 'longText');
}

export async function down({ dropColumn }: MigrationTools): Promise<void> {
  await dropColumn('webhook_conflicts', 'facts');
  await dropColumn('webhook_inbox', 'facts');
}
