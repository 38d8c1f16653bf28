import type { Session } from '../../db';
import { type Actor, checkReason, openAuditTrail, requireApprover, requireProposer } from '../../identity';
import { AppError, type BusinessDate } from '../../kernel';
import { openPeriodLock } from '../../ledger';
import type { ClosingDeps } from './close-day';
import { standingSealOf } from './closing-obstacles';
import { digestOfSeal, type SealHead, standingSeals } from './seal-chain';
import { openSealStore } from './seal-store';

interface Deciding {
  readonly date: BusinessDate;
  readonly actor: Actor;
  readonly dryRun: boolean;
}

export interface ReopeningOutcome {
  readonly kind: 'proposed' | 'reopened';
  readonly date: BusinessDate;
  /** The number of the reversed closing. */
  readonly number: number;
  readonly proposedBy: string;
  readonly approvedBy: string | undefined;
}

/**
 * Proposes to reopen the last closed day. Nothing changes until another person approves it.
 *
 * @throws AppError `not_found` if the day is not closed, `conflict` if a later day is closed or a proposal exists.
 */
export async function proposeReopening(
  { database, clock }: ClosingDeps,
  { date, reason, actor, dryRun }: Deciding & { readonly reason: string },
): Promise<ReopeningOutcome> {
  requireProposer(actor, 'reopen_day');
  checkReason(reason, 'why the day is opened again');
  return database.transact(
    async (session) => {
      const { number } = (await lastClosing(session, date)).closing;
      const proposal = await openSealStore(session).proposal(number);
      if (proposal !== undefined) throw new AppError('reopening_proposed', { date, proposedBy: proposal.proposedBy });
      const at = clock.now();
      await openSealStore(session).propose({ number, reason, proposedAt: at, proposedBy: actor.name });
      const detail = { number, reason };
      const record = { at, actor, action: 'day.reopening_proposed', subject: `day:${date}`, detail };
      await openAuditTrail(session).record(record);
      return { kind: 'proposed', date, number, proposedBy: actor.name, approvedBy: undefined };
    },
    { retryDuplicate: true, dryRun },
  );
}

/**
 * Reopens a day on the proposal of another person: adds a link and lowers the period lock. Its seal stays, and
 * `ledger verify` still checks it.
 *
 * @throws AppError `not_found` without a proposal, `forbidden` to the person who proposed it, `conflict`.
 */
export async function approveReopening(
  { database, clock, calendar }: ClosingDeps,
  { date, actor, dryRun }: Deciding,
): Promise<ReopeningOutcome> {
  return database.transact(
    async (session) => {
      const { closing, last } = await lastClosing(session, date);
      const proposal = await openSealStore(session).proposal(closing.number);
      if (proposal === undefined) throw new AppError('reopening_not_proposed', { date });
      const { reason, proposedBy } = proposal;
      requireApprover(actor, 'reopen_day', proposedBy);
      const recordedAt = clock.now();
      const unsealed = {
        ...{ number: last.number + 1, kind: 'reopened' as const, date, reopens: closing.number, closeId: undefined },
        content: JSON.stringify({ reason, proposedBy, proposedAt: proposal.proposedAt, approvedBy: actor.name }),
        ...{ previousDigest: last.digest, recordedAt, recordedBy: actor.name },
      };
      await openSealStore(session).add({ ...unsealed, digest: digestOfSeal(unsealed) }, []);
      await openPeriodLock(session).lower(calendar.startOf(date));
      const detail = { number: closing.number, reason, proposedBy };
      const record = { at: recordedAt, actor, action: 'day.reopened', subject: `day:${date}`, detail };
      await openAuditTrail(session).record(record);
      return { kind: 'reopened', date, number: closing.number, proposedBy, approvedBy: actor.name };
    },
    { retryDuplicate: true, dryRun },
  );
}

/** Returns the closing of the day, which must be the last standing one, and the last link of the chain. */
async function lastClosing(session: Session, date: BusinessDate): Promise<{ closing: SealHead; last: SealHead }> {
  const chain = await openSealStore(session).heads();
  const closing = standingSealOf(chain, date);
  const last = chain.at(-1);
  if (closing === undefined || last === undefined) throw new AppError('day_not_closed', { date });
  const latest = standingSeals(chain).at(-1);
  if (latest !== undefined && latest.date > date) throw new AppError('later_day_closed', { later: latest.date });
  return { closing, last };
}
