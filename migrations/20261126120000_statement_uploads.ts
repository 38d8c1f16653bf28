import type { MigrationTools } from '../src/db';

/**
 * Bank files that were sent over the HTTP API and wait for their import, in pieces, so that any process can read them.
 * A row without a digest is not complete. Rows go after their expiry.
 */
export async function up({ createTable }: MigrationTools): Promise<void> {
  await createTable('statement_uploads', (t) => {
    t.ulid('id').notNullable();
    t.keys.primary(['id']);
    t.outsideId('name').notNullable();
    t.count('size_bytes').notNullable();
    t.digest('sha256');
    t.instant('created_at').notNullable();
    t.instant('expires_at').notNullable();
    t.code('created_by').notNullable();
    t.keys.index(['expires_at'], 'statement_uploads_expiry');
  });
  await createTable('statement_upload_chunks', (t) => {
    t.ulid('upload_id').notNullable();
    t.count('position').notNullable();
    t.bytes('content').notNullable();
    t.keys.primary(['upload_id', 'position']);
  });
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('statement_upload_chunks');
  await dropTable('statement_uploads');
}
