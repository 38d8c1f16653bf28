import type { Session } from '../../db';
import { checkReason, openAuditTrail, requireScope, type Actor } from '../../identity';
import { AppError, type BusinessDate } from '../../kernel';
import { openPeriodLock } from '../../ledger';
import type { ClosingDeps } from './close-day';
import { standingSealOf } from './closing-obstacles';
import { digestOfSeal, standingSeals, type SealHead } from './seal-chain';
import { openSealStore, type ReopeningProposal } from './seal-store';

interface Deciding {
  readonly date: BusinessDate;
  readonly actor: Actor;
  readonly dryRun: boolean;
}

export interface ReopeningOutcome {
  readonly kind: 'proposed' | 'reopened';
  readonly date: BusinessDate;
  /** The closing that is taken back. */
  readonly number: number;
  readonly proposedBy: string;
  readonly approvedBy: string | undefined;
}

/**
 * Proposes to open the last closed day again. Nothing changes until another person approves it.
 *
 * @throws AppError `not_found` when the day is not closed, `conflict` when a later day is, or when it is proposed already.
 */
export async function proposeReopening(
  { database, clock }: ClosingDeps,
  { date, reason, actor, dryRun }: Deciding & { readonly reason: string },
): Promise<ReopeningOutcome> {
  requireScope(actor, 'days:reopen');
  checkReason(reason, 'why the day is opened again');
  return database.transact(
    async (session) => {
      const { number } = (await lastClosing(session, date)).closing;
      const proposal = await proposalOf(session, number);
      if (proposal !== undefined) {
        throw new AppError(
          'conflict',
          `${proposal.proposedBy} has proposed to open ${date} again; another may approve it`,
        );
      }
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
 * Opens the day again, on the proposal of another person: adds a link and lowers the period lock. The
 * seal that it had is kept and stays checked.
 *
 * @throws AppError `not_found` without a proposal, `forbidden` to the person who proposed it, `conflict`.
 */
export async function approveReopening(
  { database, clock, calendar }: ClosingDeps,
  { date, actor, dryRun }: Deciding,
): Promise<ReopeningOutcome> {
  requireScope(actor, 'days:reopen');
  return database.transact(
    async (session) => {
      const { closing, last } = await lastClosing(session, date);
      const proposal = await proposalOf(session, closing.number);
      if (proposal === undefined) throw new AppError('not_found', `nobody has proposed to open ${date} again`);
      const { reason, proposedBy } = proposal;
      if (proposedBy === actor.name)
        throw new AppError('forbidden', `${proposedBy} proposed it: another must approve it`);
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

/** The closing of the day, which must be the last that stands, and the last link of the chain. */
async function lastClosing(session: Session, date: BusinessDate): Promise<{ closing: SealHead; last: SealHead }> {
  const chain = await openSealStore(session).heads();
  const closing = standingSealOf(chain, date);
  const last = chain.at(-1);
  if (closing === undefined || last === undefined) throw new AppError('not_found', `${date} is not closed`);
  const latest = standingSeals(chain).at(-1);
  if (latest !== undefined && latest.date > date) {
    throw new AppError('conflict', `${latest.date} is closed after it: open that day again first`);
  }
  return { closing, last };
}

async function proposalOf(session: Session, number: number): Promise<ReopeningProposal | undefined> {
  return (await openSealStore(session).proposals()).find((proposal) => proposal.number === number);
}
