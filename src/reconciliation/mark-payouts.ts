import { linesWrittenOff } from '../breaks';
import type { Session } from '../db';
import { checkReason, openAuditTrail, type ReasonedDecision, requireScope } from '../identity';
import { AppError, counted, newId } from '../kernel';
import {
  type CreditChoice,
  isRecognized,
  type MarkableCredit,
  openPayoutMarks,
  openStatements,
  payoutPatternOf,
} from '../statements';
import { openMatchStore } from './match-store';
import type { ReconcileDeps } from './reconcile-deps';

const LINES_NAMED_MAX = 20;
const PATTERN_CHARACTERS_MAX = 500;

export interface MarkPayoutsCommand extends ReasonedDecision {
  readonly choice: CreditChoice;
  /** A regular expression on text and counterparty of the credits to mark. */
  readonly payoutPattern: string;
  /** Whether they may be payouts, or are none. */
  readonly isPayout: boolean;
}

export interface MarkedPayouts {
  /** The number of chosen credits. */
  readonly credits: number;
  /** The number of those that the pattern recognizes. */
  readonly recognized: number;
  /** The credits that changed; empty if all recognized ones were marked so before. */
  readonly changed: readonly MarkableCredit[];
}

/**
 * Marks stored credits as payouts of the gateway, or as none, and records the decision. No line is rewritten: the next
 * run reads the decisions, and past runs keep what they read.
 * @throws AppError `forbidden`; `bad_input` for a blank reason or a pattern that recognizes no credit; `not_found`
 * without credits; `line_matched` or `line_written_off` for a credit that is to become none.
 */
export async function markPayouts(
  { database, clock, logger }: Pick<ReconcileDeps, 'database' | 'clock' | 'logger'>,
  { choice, payoutPattern, isPayout, reason, actor, dryRun }: MarkPayoutsCommand,
): Promise<MarkedPayouts> {
  requireScope(actor, 'statements:accept');
  checkReason(reason, isPayout ? 'how they are known as payouts' : 'why they are no payouts');
  const pattern = requirePattern(payoutPattern);
  const at = clock.now();
  const marked = await database.transact(
    async (session) => {
      const credits = await chosenCredits(session, choice);
      const recognized = credits.filter((credit) => isRecognized(pattern, credit));
      if (recognized.length === 0) throw recognizesNone(payoutPattern, credits, choice);
      const changed = recognized.filter((credit) => credit.isPayout !== isPayout);
      const outcome = { credits: credits.length, recognized: recognized.length, changed };
      if (changed.length === 0) return outcome;
      await openPayoutMarks(session).add(
        changed.map(({ lineId, marks }) => ({
          ...{ id: newId(), lineId, position: marks + 1, isPayout, pattern: payoutPattern },
          ...{ decidedAt: at, decidedBy: actor.name, reason },
        })),
      );
      // After the rows are written: a match that is made meanwhile then waits for them, or is seen here.
      if (!isPayout) await requireFree(session, changed);
      await openAuditTrail(session).record({
        at,
        actor,
        action: isPayout ? 'payouts.marked' : 'payouts.unmarked',
        subject: 'statementId' in choice ? `statement:${choice.statementId}` : `bank_account:${choice.account}`,
        detail: { lines: changed.length, payoutPattern, reason },
      });
      return outcome;
    },
    { dryRun, retryDuplicate: true },
  );
  if (!dryRun && marked.changed.length > 0) {
    logger.info(isPayout ? 'payouts marked' : 'payouts unmarked', {
      event: isPayout ? 'reconciliation.payouts_marked' : 'reconciliation.payouts_unmarked',
      lines: marked.changed.length,
      actor: actor.name,
    });
  }
  return marked;
}

/** An empty pattern, such as that of an unset variable of a shell, would recognize every credit. */
function requirePattern(text: string): RegExp {
  if (text.trim() !== '' && text.length <= PATTERN_CHARACTERS_MAX) return payoutPatternOf(text);
  const expected = `1 to ${PATTERN_CHARACTERS_MAX} characters of a regular expression`;
  throw new AppError('bad_input', { field: 'payoutPattern', expected, got: text });
}

async function chosenCredits(session: Session, choice: CreditChoice): Promise<MarkableCredit[]> {
  if ('statementId' in choice && (await openStatements(session).find(choice.statementId)) === undefined) {
    throw new AppError('not_found', { thing: 'statement', id: choice.statementId });
  }
  const credits = await openPayoutMarks(session).credits(choice);
  if (credits.length > 0) return credits;
  const [thing, id] = 'statementId' in choice ? ['statement', choice.statementId] : ['account', choice.account];
  throw new AppError('not_found', {
    thing: `credit in dinars of ${thing}`,
    id,
    command: 'run "millime statements list"',
  });
}

function recognizesNone(got: string, { length }: readonly MarkableCredit[], choice: CreditChoice): AppError {
  const statement = 'statementId' in choice ? choice.statementId : '<statement>';
  return new AppError('bad_input', {
    field: 'payoutPattern',
    expected: `text or counterparty of one of ${counted(length, 'credit')}`,
    got,
    command: `compare it with "millime statements show ${statement}"`,
  });
}

/** Refuses to unmark credits whose money is posted as that of a payout, or written off. */
async function requireFree(session: Session, credits: readonly MarkableCredit[]): Promise<void> {
  const lineIds = credits.map(({ lineId }) => lineId);
  const details = ([, ...others]: readonly string[]): { readonly details: string[] } => ({
    details: others.slice(0, LINES_NAMED_MAX).map((lineId) => `also line ${lineId}`),
  });
  const matched = [...(await openMatchStore(session).holdLines(lineIds))];
  if (matched[0] !== undefined) throw new AppError('line_matched', { lineId: matched[0] }, details(matched));
  const written = [...(await linesWrittenOff(session, lineIds, { hold: true }))];
  const [first] = written;
  if (first === undefined) return;
  const [lineId, { breakId }] = first;
  throw new AppError('line_written_off', { lineId, breakId }, details(written.map(([id]) => id)));
}
