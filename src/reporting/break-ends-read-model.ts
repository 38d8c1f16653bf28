import { column, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { type BusinessCalendar, type BusinessDate, type Instant, pagesOf } from '../kernel';
import type { OpenBreak } from './open-breaks-read-model';

/** The ledger transaction of a decision of two people. */
const BOOKED = rowCodec({
  breakId: column.text('break_id'),
  decidedAt: column.number('decided_at'),
  bookedAt: column.number('occurred_at'),
});

/** How a break that was open at the end of a day has ended since. */
export interface BreakEnd {
  readonly resolution: string;
  readonly endedOn: BusinessDate;
  /** The ledger date of what two people decided, if that moved money: a match counts on the bank's day. */
  readonly bookedOn: BusinessDate | undefined;
}

/** Returns how those of the breaks that are resolved now have ended, by id. */
export async function breakEnds(
  session: Session,
  breaks: readonly Pick<OpenBreak, 'id' | 'resolution' | 'resolvedAt'>[],
  { dateOf }: Pick<BusinessCalendar, 'dateOf'>,
): Promise<Map<string, BreakEnd>> {
  const ended = breaks.filter(({ resolvedAt }) => resolvedAt !== undefined);
  const booked = await bookingsOf(
    session,
    ended.map(({ id }) => id),
  );
  return new Map(
    ended.map(({ id, resolution = '', resolvedAt = 0 }) => {
      const bookedAt = booked.get(`${id} ${resolvedAt}`);
      const bookedOn = bookedAt === undefined ? undefined : dateOf(bookedAt);
      return [id, { resolution, endedOn: dateOf(resolvedAt), bookedOn }];
    }),
  );
}

/** Returns the ledger dates of approved decisions, by break and instant: a decision closes its break at its own instant. */
async function bookingsOf(session: Session, breakIds: readonly string[]): Promise<Map<string, Instant>> {
  const booked = new Map<string, Instant>();
  for (const page of pagesOf(breakIds, ROWS_PER_STATEMENT)) {
    const found = await BOOKED.all(
      session('break_proposals as p')
        .join('break_decisions as d', 'd.proposal_id', 'p.id')
        .join('ledger_transactions as t', 't.reference', 'd.posted_as')
        .select('p.break_id', 'd.decided_at', 't.occurred_at')
        .whereIn('p.break_id', page)
        .where('d.outcome', 'approved'),
    );
    for (const { breakId, decidedAt, bookedAt } of found) booked.set(`${breakId} ${decidedAt}`, bookedAt);
  }
  return booked;
}
