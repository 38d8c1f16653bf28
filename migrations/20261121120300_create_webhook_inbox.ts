import type { MigrationTools } from '../src/db';

export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  await createTable('webhook_inbox', (t) => {
    t.ulid('id').notNullable().primary();
    // sha256 of the dedupe key, which has no length that the interface names.
    t.digest('dedupe_digest').notNullable().unique({ indexName: 'webhook_inbox_dedupe' });
    t.code('family').notNullable(); // payment_v1 | payment_v2 | subscription | hint
    t.code('proof').notNullable(); // authentic | stale | unsigned
    t.outsideId('event').notNullable();
    t.outsideId('payment_id');
    t.outsideId('subscription_id');
    t.outsideId('developer_tracking_id');
    t.bytes('content').notNullable();
    t.digest('content_digest').notNullable();
    t.instant('signed_at');
    t.instant('received_at').notNullable();
    t.instant('last_received_at').notNullable();
    t.count('times').notNullable();
    t.code('state').notNullable(); // received | parked | done | ignored
    t.code('outcome');
    t.instant('available_at').notNullable();
    // By the database's clock, the only one that two machines share.
    t.instant('lease_until').notNullable();
    t.count('fencing').notNullable();
    t.count('tries').notNullable();
    t.text('error');
    t.instant('done_at');
    t.keys.index(['state', 'available_at'], 'webhook_inbox_available');
    t.keys.index(['payment_id'], 'webhook_inbox_payment');
    t.keys.index(['received_at'], 'webhook_inbox_received');
  });
  // The same event id with other bytes: both are kept.
  await createTable('webhook_conflicts', (t) => {
    t.ulid('id').notNullable().primary();
    t.ulid('inbox_id').notNullable();
    t.bytes('content').notNullable();
    t.digest('content_digest').notNullable();
    t.instant('received_at').notNullable();
    t.keys.unique(['inbox_id', 'content_digest'], { indexName: 'webhook_conflicts_content' });
  });
  await appendOnly('webhook_conflicts');
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  for (const table of ['webhook_conflicts', 'webhook_inbox']) await dropTable(table);
}
