import type { DecideHandler } from '../breaks';
import type { Session } from '../db';
import { checkReason, openAuditTrail, type ReasonedDecision, requireScope } from '../identity';
import { AppError, type Instant, type Millimes } from '../kernel';
import { amountOf, type StoredMatch } from './match';
import { payoutBackReference } from './payout-postings';
import type { ReconcileDeps } from './reconcile-deps';
import { releaseMatch } from './release-match';
import { singleLineOfBreak } from './single-line-of-break';

export interface UnmatchCommand extends ReasonedDecision {
  readonly lineId: string;
}

export interface UnmatchOutcome {
  readonly lineId: string;
  readonly matchId: string;
  /** The sum of the items of the match, which are unpaid again. */
  readonly grossMillimes: Millimes;
  readonly itemIds: readonly string[];
  readonly dryRun: boolean;
}

/**
 * Reverses the match of a credit: its postings are reversed, its items are unpaid again, and its rows stay. The credit
 * then waits for manual review: runs propose items for it and never match it.
 * @throws AppError `forbidden`, `bad_input` for a blank reason, `not_found` for a credit without a match.
 */
export async function unmatch(
  { database, clock }: Pick<ReconcileDeps, 'database' | 'clock'>,
  { lineId, reason, actor, dryRun }: UnmatchCommand,
): Promise<UnmatchOutcome> {
  requireScope(actor, 'reconciliation:decide');
  checkReason(reason, 'why the match is wrong');
  const at = clock.now();
  return database.transact(
    async (session) => {
      const match = await takeBack(session, { lineId, reason, at, recordedBy: actor.name });
      await openAuditTrail(session).record({
        at,
        actor,
        action: 'payout.unmatched',
        subject: `line:${match.lineId}`,
        detail: { matchId: match.id, items: match.parts.length, reason },
      });
      const itemIds = match.parts.map(({ itemId }) => itemId);
      return { lineId: match.lineId, matchId: match.id, grossMillimes: match.gross, itemIds, dryRun };
    },
    { dryRun, retryDuplicate: true },
  );
}

/**
 * Performs the action `unmatch`. Its payload is `{ lineId? }`; the default is the only line of the break. Reopens a
 * break that the match closed.
 */
export const unmatchByTwo: DecideHandler = async (session, { action, reason, reconBreak }, actor, at) => {
  const lineId = readPayload(action.payload) ?? singleLineOfBreak(reconBreak, 'unmatch');
  if (reconBreak?.status === 'resolved' && reconBreak.resolution !== FORCE_MATCHED) {
    throw new AppError('not_closed_by_match', { breakId: reconBreak.id });
  }
  const match = await takeBack(session, { lineId, reason, at, recordedBy: actor.name });
  return {
    breakBecomes: { kind: reconBreak?.status === 'resolved' ? 'open' : 'kept' },
    detail: { matchId: match.id, lineId: match.lineId, items: match.parts.length },
    posted: { reference: payoutBackReference(match.id), amount: amountOf(match) },
  };
};

const FORCE_MATCHED = 'force_matched';

interface TakeBack {
  readonly lineId: string;
  readonly reason: string;
  readonly at: Instant;
  readonly recordedBy: string;
}

async function takeBack(session: Session, { lineId, reason, at, recordedBy }: TakeBack): Promise<StoredMatch> {
  const match = await releaseMatch(session, {
    lineId,
    kind: 'unmatched',
    debitLineId: undefined,
    runId: undefined,
    reason,
    occurredAt: at,
    recordedAt: at,
    recordedBy,
  });
  if (match === undefined) {
    throw new AppError('not_found', { thing: 'matched line', id: lineId });
  }
  return match;
}

function readPayload({ lineId, ...unknown }: Readonly<Record<string, unknown>>): string | undefined {
  if ((lineId !== undefined && typeof lineId !== 'string') || Object.keys(unknown).length > 0) {
    const expected = '{"lineId": "<credit>"} for unmatch, lineId being optional';
    throw new AppError('bad_input', { field: 'payload', expected, command: 'or use --line' });
  }
  return lineId;
}
