import type { MigrationTools } from '../src/db';

/**
 * Local users and their sessions, the browsers from which they signed in, and the counts that slow down guesses. A row
 * of `actor_names` is locked while a user or a key of the name is created.
 */
export async function up({ createTable, addIndex }: MigrationTools): Promise<void> {
  await createTable('actor_names', (t) => {
    t.code('name').notNullable().primary();
  });
  await createTable('users', (t) => {
    t.ulid('id').notNullable().primary();
    t.code('name').notNullable();
    t.text('full_name').notNullable();
    t.code('language');
    t.text('roles').notNullable();
    t.instant('created_at').notNullable();
    t.code('recorded_by').notNullable();
    t.instant('disabled_at');
    t.text('password_hash');
    t.digest('code_digest');
    t.instant('code_expires_at');
    t.code('totp_secret');
    t.count('totp_step');
    t.keys.unique(['name'], { indexName: 'users_name' });
  });
  await createTable('user_sessions', (t) => {
    t.ulid('id').notNullable().primary();
    t.digest('token_digest').notNullable();
    t.ulid('user_id').notNullable();
    t.code('address').notNullable();
    t.instant('started_at').notNullable();
    t.instant('proved_at').notNullable();
    t.instant('used_at').notNullable();
    t.instant('expires_at').notNullable();
    t.code('enrolling_secret');
    t.keys.unique(['token_digest'], { indexName: 'user_sessions_token' });
    t.keys.index(['user_id'], 'user_sessions_user');
    t.keys.index(['used_at'], 'user_sessions_used');
  });
  await createTable('user_devices', (t) => {
    t.digest('token_digest').notNullable().primary();
    t.ulid('user_id').notNullable();
    t.instant('used_at').notNullable();
    t.keys.index(['used_at'], 'user_devices_used');
  });
  await createTable('sign_in_tries', (t) => {
    t.digest('key_digest').notNullable().primary();
    t.count('tries').notNullable();
    t.instant('counted_at').notNullable();
    t.instant('recorded_at');
    t.keys.index(['counted_at'], 'sign_in_tries_counted');
  });
  await addIndex('api_keys', ['name'], 'api_keys_name');
}

export async function down({ dropTable, dropIndex }: MigrationTools): Promise<void> {
  await dropIndex('api_keys', 'api_keys_name');
  for (const table of ['sign_in_tries', 'user_devices', 'user_sessions', 'users', 'actor_names']) {
    await dropTable(table);
  }
}
