import { directionOf, type NewBreak } from '../breaks';
import { type BusinessDate, millimes } from '../kernel';
import type { Facts } from './facts';
import type { PayoutMatch } from './match';

type RemainderFacts = Pick<Facts, 'matches' | 'credits'>;

/** Finds the remainders that two people accepted in live matches: one difference each, until it is written off. Pure. */
export function findRemainders({ matches, credits }: RemainderFacts): NewBreak[] {
  const bookings = new Map(credits.map(({ lineId, bookingDate }) => [lineId, bookingDate]));
  return matches.flatMap((match) => {
    const bookingDate = bookings.get(match.lineId);
    // The run does not report credits after its day.
    return bookingDate === undefined ? [] : remainderBreaks(match, bookingDate);
  });
}

/** Returns the break of one match; none if its items equal its credit. */
export function remainderBreaks({ id, lineId, remainder, parts }: PayoutMatch, since: BusinessDate): NewBreak[] {
  if (remainder === 0) return [];
  return [
    {
      fingerprint: remainderFingerprint(id),
      breakClass: 'amount_differs',
      since,
      // Ledger less bank.
      amount: millimes(-remainder),
      direction: directionOf(-remainder),
      subject: { itemIds: parts.map(({ itemId }) => itemId), lineIds: [lineId], facts: { matchId: id } },
    },
  ];
}

export function remainderFingerprint(matchId: string): string {
  return `amount_differs:match:${matchId}`;
}
