// The clock of every report is the ledger date: an item counts when the gateway received the money, a bank movement on
// its booking date, and a decision when people made it, whenever Millime recorded them. So a payout belongs to the day
// of the bank, although a run of the next morning found it.
import type { BusinessDate, Instant } from '../kernel';

/** From `start` inclusive to `end` exclusive, by ledger date. */
export interface Window {
  readonly start: Instant;
  readonly end: Instant;
}

/** What a report knows: the rows that existed at `knownAt`. A row recorded later with an earlier date changes it. */
export interface Known {
  readonly knownAt: Instant;
}

/** Describes the cut-off of every figure of a report. */
export function asOfText(through: BusinessDate): string {
  return `the end of ${through} by ledger date`;
}

/** Explains the ledger date to people. */
export const LEDGER_DATE_TEXT =
  'Ledger date: a payment counts when it was received, a bank movement on its booking date, a decision when it was made.';

/** Explains the clock of seals to people. */
export const SEAL_TEXT =
  'Seal: what was recorded by the end of the day, whatever its ledger date; a line reconciles both where they differ.';

const UNMATCHED = `exists (select 1 from ledger_transactions r
    join payout_unmatches u
      on u.match_id = case when r.reference like 'payout-fee-back:%' then substr(r.reference, 17)
                           else substr(r.reference, 13) end
    where r.reverses_id = t.id and u.kind = 'unmatched')`;

/**
 * The ledger transactions of a window, as a table: `id`, `code`, `reference`, `recorded_at`, `recorded_by`, and of a
 * reversal `reverses_id` and the code of the original. A payout that a person unmatched counts as never matched, so both
 * it and its reversal are omitted. A reversal counts at the earliest with its original.
 */
export const DATED_TRANSACTIONS = `(
  select t.id, t.code, t.reference, t.recorded_at, t.recorded_by, null as reverses_id, null as reverses_code
  from ledger_transactions t
  where t.reverses_id is null and t.occurred_at >= ? and t.occurred_at < ?
    and not (t.code in ('payout', 'payout_fee') and ${UNMATCHED})
  union all
  select t.id, t.code, t.reference, t.recorded_at, t.recorded_by, t.reverses_id, t.reverses_code
  from (select r.id, r.code, r.reference, r.recorded_at, r.recorded_by, r.reverses_id, t.code as reverses_code,
               case when r.occurred_at < t.occurred_at then t.occurred_at else r.occurred_at end as counts_at
        from ledger_transactions r join ledger_transactions t on t.id = r.reverses_id
        where r.reverses_id > '' and not (t.code in ('payout', 'payout_fee') and ${UNMATCHED})) t
  where t.counts_at >= ? and t.counts_at < ?)`;

/** Returns the bindings of `DATED_TRANSACTIONS`. */
export function datedIn({ start, end }: Window): Instant[] {
  return [start, end, start, end];
}

/**
 * Returns the condition that a match with its payout holds before an instant, which is bound twice: the bank booked its
 * credit, did not return it, and no person unmatched it.
 */
export function isInForce(match: string, payout: string): string {
  return `${payout}.occurred_at < ?
    and not exists (select 1 from payout_unmatches u join ledger_transactions r on r.reverses_id = ${payout}.id
                    where u.match_id = ${match}.id and (u.kind = 'unmatched' or r.occurred_at < ?))`;
}

/**
 * The condition that an earlier match than `m` also holds the item of `i` before an instant, which is bound twice: a
 * second payout was booked before the bank returned the first.
 */
export const IS_HELD_TWICE = `exists (
  select 1 from payout_match_items i2
  join payout_matches m2 on m2.id = i2.match_id
  join ledger_transactions w2 on w2.id = m2.ledger_transaction_id
  where i2.item_id = i.item_id and m2.id < m.id and ${isInForce('m2', 'w2')})`;
