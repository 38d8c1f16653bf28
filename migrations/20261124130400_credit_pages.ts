import type { MigrationTools } from '../src/db';

/** A page of credits reads lines by day and id. MariaDB sorts by the id only where an index names it. */
export async function up({ addIndex, dropIndex }: MigrationTools): Promise<void> {
  await addIndex('bank_statement_lines', ['payout_candidate', 'booking_date', 'id'], 'bank_statement_lines_payouts');
  await dropIndex('bank_statement_lines', 'bank_statement_lines_candidates');
}

export async function down({ addIndex, dropIndex }: MigrationTools): Promise<void> {
  await addIndex('bank_statement_lines', ['payout_candidate', 'booking_date'], 'bank_statement_lines_candidates');
  await dropIndex('bank_statement_lines', 'bank_statement_lines_payouts');
}
