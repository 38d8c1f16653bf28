import type { MigrationTools } from '../src/db';

const INDEXES = [
  ['subscription_charges', ['tracking_id', 'created_at', 'payment_id'], 'subscription_charges_created'],
  ['service_tokens', ['issued_at', 'jti'], 'service_tokens_issued'],
  ['service_token_revocations', ['revoked_at', 'jti'], 'service_token_revocations_revoked'],
  ['day_seals', ['business_date', 'number'], 'day_seals_date'],
] as const;

/** Pages of the charges of a subscription, of tokens and their revocations, and of day seals. */
export async function up({ addIndex }: MigrationTools): Promise<void> {
  for (const [table, columns, name] of INDEXES) await addIndex(table, columns, name);
}

export async function down({ dropIndex }: MigrationTools): Promise<void> {
  for (const [table, , name] of INDEXES) await dropIndex(table, name);
}
