import type { MigrationTools } from '../src/db';

/** Where people are notified, the events that hold now, and the messages about them. */
export async function up({ createTable }: MigrationTools): Promise<void> {
  await createTable('notification_recipients', (t) => {
    t.ulid('id').notNullable().primary();
    t.code('owner_name').notNullable();
    t.ulid('key_id');
    t.code('way').notNullable();
    t.text('address').notNullable();
    t.text('kinds').notNullable();
    t.code('language').notNullable();
    t.instant('created_at').notNullable();
    t.keys.index(['owner_name'], 'notification_recipients_owner');
  });
  await createTable('notification_events', (t) => {
    t.code('kind').notNullable();
    t.outsideId('subject').notNullable();
    t.instant('began_at').notNullable();
    t.instant('ended_at');
    t.keys.primary(['kind', 'subject']);
  });
  await createTable('notification_deliveries', (t) => {
    t.ulid('id').notNullable().primary();
    t.ulid('recipient_id').notNullable();
    t.code('kind').notNullable();
    t.longText('content').notNullable();
    t.code('state').notNullable();
    t.instant('created_at').notNullable();
    t.instant('available_at').notNullable();
    t.instant('lease_until').notNullable();
    t.count('fencing').notNullable();
    t.count('tries').notNullable();
    t.code('error');
    t.count('answer');
    t.instant('done_at');
    t.keys.index(['state', 'available_at'], 'notification_deliveries_due');
    t.keys.index(['recipient_id', 'created_at'], 'notification_deliveries_recipient');
    t.keys.index(['done_at'], 'notification_deliveries_done');
  });
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  for (const table of ['notification_deliveries', 'notification_events', 'notification_recipients']) {
    await dropTable(table);
  }
}
