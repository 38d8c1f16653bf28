import type { MigrationTools } from '../src/db';

export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  await createTable('service_tokens', (t) => {
    t.outsideId('jti').notNullable().primary();
    t.outsideId('subject').notNullable();
    t.outsideId('kid').notNullable();
    t.code('alg').notNullable();
    t.instant('issued_at').notNullable();
    t.instant('expires_at').notNullable();
    t.text('recorded_by').notNullable();
  });
  await createTable('service_token_revocations', (t) => {
    t.outsideId('jti').notNullable().primary();
    t.instant('revoked_at').notNullable();
    t.text('recorded_by').notNullable();
  });
  await appendOnly('service_tokens');
  await appendOnly('service_token_revocations');
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  await dropTable('service_token_revocations');
  await dropTable('service_tokens');
}
