import { agentsQuestion } from '../agents';
import { type BreakStore, type NewBreak, openBreakStore } from '../breaks';
import type { Database, NewRows, Session } from '../db';
import { type BusinessCalendar, type Clock, compareBytes, type Instant, newId, ZERO_MILLIMES } from '../kernel';
import {
  type Account,
  agentReceivable,
  balancesQuestion,
  gatewayClearing,
  type LockedBooks,
  type NewLedgerTransaction,
  OPEN_FROM,
  openLedger,
  openPeriodLock,
  postingRows,
} from '../ledger';
import { POSTPONED } from './batches';
import type { ConfirmCommand } from './confirm-command';
import { confirmRows, registeredQuestion } from './confirm-store';
import { type ConfirmFacts, type ConfirmOutcome, decide, type Decision, type MayRefuse, outcomeOf } from './decide';
import { countRefusals, refusalRows, refusalsQuestions, type RefusedCall } from './refusal-store';

export interface ConfirmDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly amountMax: number | undefined;
}

type StoreDecision = Extract<Decision, { kind: 'store' }>;
type RefuseDecision = Extract<Decision, { kind: 'refuse' }>;

const ACTOR = 'gateway';

/**
 * Answers a batch of confirms in one transaction. Each answer is durable: the transaction stores the money for
 * `stored`, and otherwise a record of the call. If two batches contain the same transactionId, its unique key decides,
 * and the losing batch runs again. After a COMMIT whose answer was lost, the attempt's id shows whether it was stored.
 * A refusal that `mayRefuse` does not admit is `limited`: nothing is stored of it. A command is postponed if another
 * transaction has locked its agent's balance: nothing is stored of it, and the others do not wait.
 *
 * @throws AppError when Millime cannot answer. Then each command was either stored or not, and a resend shows which.
 */
export async function confirmPayments(
  deps: ConfirmDeps,
  commands: readonly ConfirmCommand[],
  { mayRefuse, deadlineMs }: { readonly mayRefuse?: MayRefuse; readonly deadlineMs?: number } = {},
): Promise<(ConfirmOutcome | typeof POSTPONED)[]> {
  return deps.database.transact(
    async (session) => {
      const { facts, books, isPostponed } = await readFacts(session, commands, deps.amountMax);
      const taken = commands.filter((command) => !isPostponed(command));
      const decisions = decide(taken, facts, mayRefuse);
      await write(session, decisions, books, deps);
      const outcomes = new Map(decisions.map((decision) => [decision.command, outcomeOf(decision)]));
      return commands.map((command) => outcomes.get(command) ?? POSTPONED);
    },
    { retryDuplicate: true, retryUnknownOutcome: true, deadlineMs },
  );
}

/**
 * Reads everything in one round trip. The agents' balances are locked first, so that the later reads are final. The
 * agents are read under these locks, because an agent's erasure takes the same lock. It waits for no lock of a balance:
 * all calls of the batch would wait with it.
 */
async function readFacts(
  session: Session,
  commands: readonly ConfirmCommand[],
  amountMax: number | undefined,
): Promise<{
  readonly facts: ConfirmFacts;
  readonly books: LockedBooks;
  readonly isPostponed: (command: ConfirmCommand) => boolean;
}> {
  const agentIds = [...new Set(commands.flatMap(({ agentId }) => agentId ?? []))];
  const transactionIds = commands.flatMap(({ transactionId }) => transactionId ?? []);
  const ask = () =>
    session.ask([
      balancesQuestion(agentIds.map(agentReceivable), 'update_if_free'),
      agentsQuestion(agentIds),
      registeredQuestion(transactionIds),
      ...refusalsQuestions(commands),
      OPEN_FROM,
    ]);
  const lockedByOthers = new Set<Account>();
  let answers = await ask();
  for (;;) {
    const [balances, agents] = answers;
    const unlocked = openAccounts(agents).filter((account) => !balances.has(account) && !lockedByOthers.has(account));
    if (unlocked.length === 0) break;
    const [stored] = await session.ask([balancesQuestion(unlocked)]);
    for (const account of stored.keys()) lockedByOthers.add(account);
    const missing = unlocked.filter((account) => !stored.has(account));
    if (missing.length === 0) break;
    // An agent without a posting has no row to lock. Everything is read again, because an erasure may have been first.
    await openLedger(session).createBalances(missing);
    answers = await ask();
  }
  const [balances, agents, registered, refusals, refusalsOfUnusable, openFrom] = answers;
  return {
    facts: {
      agents,
      balances: new Map(agentIds.map((agentId) => [agentId, balances.get(agentReceivable(agentId)) ?? ZERO_MILLIMES])),
      registered,
      refusals: new Map([...refusals, ...refusalsOfUnusable]),
      amountMax,
    },
    books: { balances, openFrom: openFrom ?? (await openPeriodLock(session).openFrom()) },
    isPostponed: ({ agentId }) => agentId !== undefined && lockedByOthers.has(agentReceivable(agentId)),
  };
}

function openAccounts(agents: ConfirmFacts['agents']): Account[] {
  return [...agents.values()].filter(({ status }) => status === 'open').map(({ agentId }) => agentReceivable(agentId));
}

async function write(
  session: Session,
  decisions: readonly Decision[],
  books: LockedBooks,
  deps: ConfirmDeps,
): Promise<void> {
  const recordedAt = deps.clock.now();
  const stored = decisions.filter(isStore).sort(byTransactionId);
  const refused = refusedCalls(decisions.filter(isRefuse)).sort(byFingerprint);
  const firstRefused = refused.filter(({ wasRefusedBefore }) => !wasRefusedBefore);
  await session.insert([...storedRows(stored, books, recordedAt), refusalRows(firstRefused)]);
  for (const call of refused) {
    if (call.wasRefusedBefore) await countRefusals(session, call);
  }
  if (firstRefused.length > 0) {
    const breaks = firstRefused.flatMap((call) => breakOf(call, deps.calendar) ?? []);
    await openBreakStore(session).openNew(breaks, recordedAt, ACTOR);
  }
  // Last, because the refused call may be in the same batch.
  for (const decision of stored) {
    if (decision.refusedBefore.length > 0) await linkRefused(openBreakStore(session), decision, recordedAt);
  }
}

function storedRows(stored: readonly StoreDecision[], books: LockedBooks, recordedAt: Instant): readonly NewRows[] {
  if (stored.length === 0) return [];
  const transactions = stored.map((decision) => agentPayment(decision, recordedAt));
  const ledgerIds = new Map(stored.map(({ transactionId }, index) => [transactionId, transactions[index]?.id ?? '']));
  return [confirmRows(stored, ledgerIds, recordedAt), ...postingRows(transactions, books)];
}

/** Groups the refusals of one call for one reason. The first of a group says whether the call was refused before. */
function refusedCalls(decisions: readonly RefuseDecision[]): RefusedCall[] {
  const calls = new Map<string, RefusedCall & { readonly commands: [ConfirmCommand, ...ConfirmCommand[]] }>();
  for (const { command, reason, before } of decisions) {
    const key = `${reason} ${command.fingerprint}`;
    const known = calls.get(key);
    if (known !== undefined) known.commands.push(command);
    else calls.set(key, { wasRefusedBefore: before !== undefined, reason, commands: [command] });
  }
  return [...calls.values()];
}

function agentPayment(
  { command, transactionId, agentId, amount }: StoreDecision,
  recordedAt: Instant,
): NewLedgerTransaction {
  return {
    id: newId(),
    reference: `service:${transactionId}`,
    code: 'agent_payment',
    occurredAt: command.receivedAt,
    recordedAt,
    recordedBy: ACTOR,
    postings: [{ debit: gatewayClearing('agent'), credit: agentReceivable(agentId), amount }],
  };
}

/** Links the breaks of an id that was refused before and is stored now. A break of the same call is resolved. */
async function linkRefused(breaks: BreakStore, decision: StoreDecision, at: Instant): Promise<void> {
  const fingerprints = decision.refusedBefore.map(({ fingerprint }) => rejectedFingerprint(fingerprint));
  const detail = { transactionId: decision.transactionId, reference: `service:${decision.transactionId}` };
  for (const [fingerprint, reconBreak] of await breaks.byFingerprint(fingerprints)) {
    if (reconBreak.status === 'resolved') continue;
    const sameCall = fingerprint === rejectedFingerprint(decision.command.fingerprint);
    if (sameCall) await breaks.resolve(reconBreak.id, 'stored_later', at, ACTOR, detail);
    else await breaks.link(reconBreak.id, detail, at, ACTOR);
  }
}

/**
 * Returns the break of a refused call, because the agent's money may have moved. A resend of a stored call opens none.
 */
function breakOf({ commands: [command], reason }: RefusedCall, calendar: BusinessCalendar): NewBreak | undefined {
  if (reason === 'identical') return undefined;
  const conflicting = reason === 'conflicting';
  return {
    fingerprint: conflicting
      ? `conflicting_duplicate:${command.fingerprint}`
      : rejectedFingerprint(command.fingerprint),
    breakClass: conflicting ? 'conflicting_duplicate' : 'paid_but_rejected',
    since: calendar.dateOf(command.receivedAt),
    amount: command.amount,
    direction: 'may_have_moved',
    subject: {
      itemIds: command.transactionId === undefined ? [] : [`service:${command.transactionId}`],
      lineIds: [],
      facts: { ...command.said, reason },
    },
  };
}

function rejectedFingerprint(callFingerprint: string): string {
  return `paid_but_rejected:${callFingerprint}`;
}

function isStore(decision: Decision): decision is StoreDecision {
  return decision.kind === 'store';
}

function isRefuse(decision: Decision): decision is RefuseDecision {
  return decision.kind === 'refuse';
}

function byTransactionId(a: StoreDecision, b: StoreDecision): number {
  return compareBytes(a.transactionId, b.transactionId);
}

function byFingerprint({ commands: [a] }: RefusedCall, { commands: [b] }: RefusedCall): number {
  return compareBytes(a.fingerprint, b.fingerprint);
}
