import type { Invariant } from './invariant';

// Decides from the rows alone which lines may be payouts. This checks the decision of the statements module.

const LAST_MARK = (line: string): string =>
  `(select k.is_payout from payout_marks k where k.line_id = ${line}` +
  ` and not exists (select 1 from payout_marks j where j.line_id = k.line_id and j.position > k.position))`;

/** Returns the condition that the row `alias` of bank_statement_lines may be a payout: by its import, or by a person. */
export function isPayoutLine(alias: string): string {
  return `coalesce(${LAST_MARK(`${alias}.id`)}, ${alias}.payout_candidate) = 1`;
}

/** Invariants of the decisions on which credits may be payouts. */
export const PAYOUT_MARK_INVARIANTS: readonly Invariant[] = [
  {
    name: 'each decision about a payout is of a credit in dinars and changes what held before it',
    sql: `select k.id, k.line_id from payout_marks k
          left join bank_statement_lines l on l.id = k.line_id and l.currency = 'TND' and l.amount_minor > 0
          left join payout_marks b on b.line_id = k.line_id and b.position = k.position - 1
          where l.id is null or (k.position <> 1 and b.id is null)
             or k.is_payout = coalesce(b.is_payout, l.payout_candidate)`,
  },
  {
    name: 'no match holds a credit that a person marked as no payout',
    sql: `select m.id, m.line_id from payout_matches m
          where not exists (select 1 from payout_unmatches u where u.match_id = m.id)
            and ${LAST_MARK('m.line_id')} = 0`,
  },
];
