import type { MigrationTools } from '../src/db';

export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  await createTable('api_keys', (t) => {
    t.ulid('id').notNullable().primary();
    t.code('name').notNullable();
    t.text('scopes').notNullable();
    t.digest('secret_hash').notNullable();
    t.instant('created_at').notNullable();
    t.instant('expires_at');
    t.text('recorded_by').notNullable();
  });
  await createTable('api_key_revocations', (t) => {
    t.ulid('key_id').notNullable().primary();
    t.instant('revoked_at').notNullable();
    t.text('reason').notNullable();
    t.text('recorded_by').notNullable();
  });
  await createTable('audit_records', (t) => {
    t.ulid('id').notNullable().primary();
    t.instant('at').notNullable();
    t.code('actor_kind').notNullable();
    t.text('actor_name').notNullable();
    t.ulid('key_id');
    t.code('action').notNullable();
    t.reference('subject').notNullable();
    t.longText('detail').notNullable();
    t.keys.index(['at', 'id'], 'audit_records_at');
    t.keys.index(['subject'], 'audit_records_subject');
  });
  for (const table of ['api_keys', 'api_key_revocations', 'audit_records']) await appendOnly(table);
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  for (const table of ['audit_records', 'api_key_revocations', 'api_keys']) await dropTable(table);
}
