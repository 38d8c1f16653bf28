import type { MigrationTools } from '../src/db';

/**
 * The answers that the HTTP API repeats for a repeated `Idempotency-Key`. `request_id` names the request that owns the
 * row; its audit records name it too, so that a request whose process was killed is known to have had an effect or not.
 */
export async function up({ createTable, addColumn, addIndex }: MigrationTools): Promise<void> {
  await createTable('idempotency_keys', (t) => {
    t.code('actor_name').notNullable();
    t.outsideId('idempotency_key').notNullable();
    t.digest('fingerprint').notNullable();
    t.ulid('request_id').notNullable();
    t.instant('expires_at').notNullable();
    t.instant('lease_until').notNullable();
    t.count('status');
    t.longText('headers');
    t.longText('body');
    t.keys.primary(['actor_name', 'idempotency_key']);
    t.keys.index(['expires_at'], 'idempotency_keys_expiry');
  });
  await addColumn('audit_records', 'request_id', 'ulid');
  await addIndex('audit_records', ['request_id'], 'audit_records_request');
}

export async function down({ dropTable, dropIndex, dropColumn }: MigrationTools): Promise<void> {
  await dropIndex('audit_records', 'audit_records_request');
  await dropColumn('audit_records', 'request_id');
  await dropTable('idempotency_keys');
}
