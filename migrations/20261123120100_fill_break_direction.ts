import type { MigrationTools } from '../src/db';

type Row = Readonly<Record<string, unknown>>;
type Subject = {
  readonly lineIds: readonly string[];
  readonly facts: Readonly<Record<string, string | number | undefined>>;
};

/**
 * Gives the breaks of before their direction, by class and finder. The amounts stay: the finders signed them as ledger
 * less bank or as bank less ledger, and fingerprints, digests and histories contain them (decision record 27).
 */
export async function up({ fillColumn }: MigrationTools): Promise<void> {
  await fillColumn('recon_breaks', 'direction', {
    id: 'id',
    from: ['fingerprint', 'class', 'amount_millimes', 'subject'],
    value: directionOf,
  });
}

/** The step before drops the column. */
export async function down(): Promise<void> {
  await Promise.resolve();
}

/** The finders that cannot tell whether the amount moved. */
const MAY_HAVE_MOVED: ReadonlySet<unknown> = new Set([
  'late_success',
  'settlement_regressed',
  'paid_but_rejected',
  'conflicting_duplicate',
  'webhook_mismatch',
  'outcome_unknown',
  'duplicate_charge_period',
  'qr_paid_twice',
  'pos_unknown',
]);

function directionOf(row: Row): string {
  const amount = Number(row['amount_millimes'] ?? 0);
  const fingerprint = String(row['fingerprint']);
  const { lineIds, facts } = JSON.parse(String(row['subject'])) as Subject;
  if (MAY_HAVE_MOVED.has(row['class'])) return 'may_have_moved';
  switch (row['class']) {
    case 'missing_in_bank':
    case 'clearing_unexplained':
      return sideOf(amount);
    case 'missing_in_book':
    case 'statement_gap':
      return sideOf(-amount);
    case 'amount_differs':
      // Of a forced match ledger less bank, of a run bank less ledger.
      return sideOf(fingerprint.startsWith('amount_differs:match:') ? amount : -amount);
    case 'fee_unexplained':
      // A run states the outcome; its amount is the difference only if the credit is smaller than its items.
      if (facts['outcome'] === undefined) return sideOf(amount);
      return Number(facts['remainderMillimes'] ?? 0) < 0 ? 'books_have_more' : 'unknown';
    case 'refund_not_reflected':
      // A status check names the refund of the ledger, if there is one. A run has the amount of the refund.
      if (facts['refund'] === undefined) return sideOf(amount);
      return facts['refund'] === 'none of ours' ? 'books_have_more' : 'bank_has_more';
    case 'late_settlement':
      return 'books_have_more';
    case 'returned_payout':
      return lineIds.length === 2 ? 'books_have_more' : 'unknown';
    default:
      return 'unknown';
  }
}

/** Returns the side that has more by ledger less bank. */
function sideOf(ledgerLessBank: number): string {
  if (ledgerLessBank === 0) return 'unknown';
  return ledgerLessBank > 0 ? 'books_have_more' : 'bank_has_more';
}
