import { directionOf, type NewBreak, openBreakStore } from '../breaks';
import type { Session } from '../db';
import { type FeeCorrection, postFees } from '../gateway-items';
import { AppError, type BusinessCalendar, millimes } from '../kernel';
import { type NewLedgerTransaction, openLedger } from '../ledger';
import { openPayoutMarks } from '../statements';
import type { MatchedBy, NewMatch } from './match';
import { openMatchStore } from './match-store';
import { payoutPostings } from './payout-postings';

/**
 * Writes matches with all their postings inside one transaction: claims of lines and items, payouts, fees. If an item
 * already has another fee, it posts the difference and opens the break `fee_unexplained`.
 * @param checkDecided called after the lines are claimed, with the number of earlier matches of each; its error rolls
 * everything back.
 * @throws AppError `duplicate_key` if another match holds a line or an item, or a person unmarked a credit.
 */
export async function postMatches(
  session: Session,
  matches: readonly NewMatch[],
  by: MatchedBy,
  calendar: BusinessCalendar,
  checkDecided?: (timesMatched: ReadonlyMap<string, number>) => Promise<void>,
): Promise<void> {
  const store = openMatchStore(session);
  // The lines are first: their locks decide between two concurrent runs, and block decisions of people.
  await store.claimLines(matches);
  const lineIds = matches.map(({ lineId }) => lineId);
  const unmarked = await openPayoutMarks(session).holdUnmarked(lineIds);
  if (unmarked.length > 0) throw new AppError('duplicate_key', 'a person unmarked a credit meanwhile');
  const times = await store.timesMatched(lineIds);
  await checkDecided?.(times);
  const transactions: NewLedgerTransaction[] = [];
  const written = matches.map((match) => {
    const { payout, all } = payoutPostings(match, {
      occurredAt: calendar.startOf(match.bookingDate),
      recordedAt: by.recordedAt,
      recordedBy: by.recordedBy,
      timesBefore: times.get(match.lineId) ?? 0,
    });
    transactions.push(...all);
    return { ...match, ledgerTransactionId: payout.id };
  });
  await store.add(written, by);
  await openLedger(session).post(transactions);
  const fees = matches.flatMap(({ parts, bookingDate }) => {
    const occurredAt = calendar.startOf(bookingDate);
    return parts.map(({ itemId, channel, fee, tva }) => ({ itemId, channel, fee, tva, occurredAt }));
  });
  const corrections = await postFees(session, fees, by);
  if (corrections.length === 0) return;
  const actor = by.runId === undefined ? by.recordedBy : `run:${by.runId}`;
  await openBreakStore(session).openNew(feeBreaks(matches, corrections), by.recordedAt, actor);
}

/** Returns one break for each fee correction, with its item and its line. */
function feeBreaks(matches: readonly NewMatch[], corrections: readonly FeeCorrection[]): NewBreak[] {
  const matchOf = new Map(matches.flatMap((match) => match.parts.map(({ itemId }) => [itemId, match] as const)));
  return corrections.flatMap(({ itemId, reference, fee, tva }) => {
    const match = matchOf.get(itemId);
    if (match === undefined) return [];
    return [
      {
        fingerprint: `fee_unexplained:${reference}`,
        breakClass: 'fee_unexplained' as const,
        since: match.bookingDate,
        // The gateway kept more than the ledger had expected.
        amount: millimes(fee + tva),
        direction: directionOf(fee + tva),
        subject: {
          itemIds: [itemId],
          lineIds: [match.lineId],
          facts: { feeDifferenceMillimes: fee, tvaDifferenceMillimes: tva },
        },
      },
    ];
  });
}
