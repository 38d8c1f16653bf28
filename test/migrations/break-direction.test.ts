// Goal: breaks of the version before get their direction by class and finder, and keep the amounts that they stored.
// Method: a database without the steps of the direction, with rows as that version wrote them; then migrated.
import { expect, test } from '@jest/globals';
import { openBreakStore } from '../../src/breaks';
import { migrate, rowsOf } from '../../src/db';
import { silentLogger } from '../../src/logging';
import { describeOnEachDialect, unmigratedDatabaseUrl } from '../support/db';
import { databaseUpTo } from './database-up-to';

const LINE = '0'.repeat(26);
const OTHER = '1'.repeat(26);

interface Before {
  readonly fingerprint: string;
  readonly amount: number | null;
  readonly lines?: readonly string[];
  readonly facts?: Readonly<Record<string, string | number>>;
}

/** A class, the end of its fingerprint, its amount as stored, and the direction. */
const of = (fingerprint: string, amount: number | null, more: Omit<Before, 'fingerprint' | 'amount'> = {}): Before => ({
  fingerprint,
  amount,
  ...more,
});

const ROWS: readonly (readonly [Before, string])[] = [
  [of('missing_in_bank:all:2026-03-02', 5), 'books_have_more'],
  [of('missing_in_bank:all:2026-03-03', -5), 'bank_has_more'],
  [of('missing_in_book:L1', 5, { lines: [LINE] }), 'bank_has_more'],
  [of(`amount_differs:${LINE}`, 5, { lines: [LINE] }), 'bank_has_more'],
  [of(`amount_differs:${OTHER}`, -5, { lines: [OTHER] }), 'books_have_more'],
  [of(`amount_differs:match:${LINE}`, 5, { lines: [LINE] }), 'books_have_more'],
  [of(`amount_differs:match:${OTHER}`, -5, { lines: [LINE] }), 'bank_has_more'],
  [of(`fee_unexplained:${LINE}`, 5, { facts: { outcome: 'ambiguous', remainderMillimes: -5 } }), 'books_have_more'],
  [of(`fee_unexplained:${OTHER}`, 500, { facts: { outcome: 'ambiguous', remainderMillimes: 500 } }), 'unknown'],
  [of('fee_unexplained:fee:service:T1:2', 3, { facts: { feeDifferenceMillimes: 3 } }), 'books_have_more'],
  [of('fee_unexplained:P1:9:1', -3, { facts: { feeMillimes: 9 } }), 'bank_has_more'],
  [of(`ambiguous_payout:${LINE}`, 500, { lines: [LINE] }), 'unknown'],
  [of(`ambiguous_payout:contradicted:${LINE}`, 500, { lines: [LINE] }), 'unknown'],
  [of('clearing_unexplained:card:2026-03', 5), 'books_have_more'],
  [of('clearing_unexplained:proof:card', -5), 'bank_has_more'],
  [of('returned_payout:L1', 500, { lines: [LINE, OTHER] }), 'books_have_more'],
  [of('returned_payout:L2', 500, { lines: [LINE, OTHER, '2'.repeat(26)] }), 'unknown'],
  [of('refund_not_reflected:refund:R1', -5), 'bank_has_more'],
  [of('refund_not_reflected:T1', 5, { facts: { settlementStatus: '', refund: 'none of ours' } }), 'books_have_more'],
  [of('refund_not_reflected:T2', 5, { facts: { settlementStatus: 'PAID', refund: LINE } }), 'bank_has_more'],
  [of('late_settlement:T1', 5), 'books_have_more'],
  [of('statement_gap:a:b:c', 5), 'bank_has_more'],
  [of('statement_gap:a:b:d', -5), 'books_have_more'],
  [of('statement_gap:a:b:e', null), 'unknown'],
  [of('late_success:T1', 5), 'may_have_moved'],
  [of('settlement_regressed:T1:PAID-AVAILABLE', 5), 'may_have_moved'],
  [of('paid_but_rejected:c', 5), 'may_have_moved'],
  [of('conflicting_duplicate:c', 5), 'may_have_moved'],
  [of('webhook_mismatch:T1:amount', null), 'may_have_moved'],
  [of('outcome_unknown:T1', 5), 'may_have_moved'],
  [of('duplicate_charge_period:T1:2026-03-01', 5), 'may_have_moved'],
  [of('qr_paid_twice:T1', 5), 'may_have_moved'],
  [of('pos_unknown:T1', 5), 'may_have_moved'],
];

/** More than one page of the step. */
const MANY = 130;

const rowOf = ({ fingerprint, amount, lines = [], facts = {} }: Before, id: number): Record<string, unknown> => ({
  id: String(id).padStart(26, '0'),
  fingerprint,
  class: fingerprint.split(':')[0],
  status: 'open',
  since: '2026-03-02',
  amount_millimes: amount,
  subject: JSON.stringify({ itemIds: [], lineIds: lines, facts }),
  opened_at: 1,
  updated_at: 1,
  resolved_at: null,
  resolution: null,
});

describeOnEachDialect('breaks of the version before', (dialect) => {
  test('have a direction after the migration, by class and finder, and their amounts', async () => {
    const database = await databaseUpTo('20261122120000_webhook_facts', await unmigratedDatabaseUrl(dialect));
    try {
      const many = Array.from({ length: MANY }, (_, at) => of(`missing_in_bank:many:${at}`, at + 1));
      const rows = [...ROWS.map(([before]) => before), ...many].map(rowOf);
      await database.transact((session) => session('recon_breaks').insert(rows));
      await migrate(database, silentLogger);
      const after = await database.read((session) =>
        rowsOf(session('recon_breaks').select('fingerprint', 'amount_millimes', 'direction').orderBy('id')),
      );
      expect(after).toEqual([
        ...ROWS.map(([{ fingerprint, amount }, direction]) => ({ fingerprint, amount_millimes: amount, direction })),
        ...many.map(({ fingerprint, amount }) => ({
          fingerprint,
          amount_millimes: amount,
          direction: 'books_have_more',
        })),
      ]);
    } finally {
      await database.close();
    }
  });

  test('are read as unknown if the version before writes them during the upgrade', async () => {
    const database = await databaseUpTo(undefined, await unmigratedDatabaseUrl(dialect));
    try {
      await database.transact((session) => session('recon_breaks').insert(rowOf(of('missing_in_bank:late', 5), 1)));
      const [found] = await database.read((session) => openBreakStore(session).list({}));
      expect(found).toMatchObject({ amount: 5, direction: 'unknown' });
    } finally {
      await database.close();
    }
  });
});
