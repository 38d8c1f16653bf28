import { openAgentDirectory } from '../agents';
import { type BreakStore, type NewBreak, openBreakStore } from '../breaks';
import type { Database, Session } from '../db';
import { type BusinessCalendar, type Clock, compareBytes, type Instant, newId, ZERO_MILLIMES } from '../kernel';
import { agentReceivable, gatewayClearing, type NewLedgerTransaction, openLedger } from '../ledger';
import type { ConfirmCommand } from './confirm-command';
import { openConfirmStore } from './confirm-store';
import { type ConfirmFacts, type ConfirmOutcome, decide, type Decision, outcomeOf } from './decide';
import { openRefusalStore } from './refusal-store';

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
 * A refusal that `mayRefuse` does not admit is `limited`: nothing is stored of it.
 *
 * @throws AppError when Millime cannot answer. Then each command was either stored or not, and a resend shows which.
 */
export async function confirmPayments(
  deps: ConfirmDeps,
  commands: readonly ConfirmCommand[],
  mayRefuse?: () => boolean,
): Promise<ConfirmOutcome[]> {
  return deps.database.transact(
    async (session) => {
      const facts = await readFacts(session, commands, deps.amountMax);
      const decisions = decide(commands, facts, mayRefuse);
      await write(session, decisions, deps);
      return decisions.map(outcomeOf);
    },
    { retryDuplicate: true, retryUnknownOutcome: true },
  );
}

/**
 * Locks agents' balances first and in byte order, so that later reads are final and no deadlock occurs. The agents are
 * read under these locks, because an agent's erasure takes the same lock.
 */
async function readFacts(
  session: Session,
  commands: readonly ConfirmCommand[],
  amountMax: number | undefined,
): Promise<ConfirmFacts> {
  const agentIds = commands.flatMap(({ agentId }) => agentId ?? []);
  const ledger = openLedger(session);
  const locked = await ledger.lockStoredBalances(agentIds.map(agentReceivable));
  const agents = await openAgentDirectory(session).find(agentIds);
  const open = [...agents.values()].filter(({ status }) => status === 'open').map(({ agentId }) => agentId);
  // An agent without a posting has no row to lock; its first row conflicts with that of an erasure.
  await ledger.createBalances(open.map(agentReceivable).filter((account) => !locked.has(account)));
  return {
    agents,
    balances: new Map(open.map((agentId) => [agentId, locked.get(agentReceivable(agentId)) ?? ZERO_MILLIMES])),
    registered: await openConfirmStore(session).registered(
      commands.flatMap(({ transactionId }) => transactionId ?? []),
    ),
    refusals: await openRefusalStore(session).of(commands),
    amountMax,
  };
}

async function write(session: Session, decisions: readonly Decision[], deps: ConfirmDeps): Promise<void> {
  const recordedAt = deps.clock.now();
  const stored = decisions.filter(isStore).sort(byTransactionId);
  await writeStored(session, stored, recordedAt);
  await writeRefused(session, decisions.filter(isRefuse).sort(byFingerprint), recordedAt, deps.calendar);
  // Last, because the refused call may be in the same batch.
  for (const decision of stored) {
    if (decision.refusedBefore.length > 0) await linkRefused(openBreakStore(session), decision, recordedAt);
  }
}

async function writeStored(session: Session, stored: readonly StoreDecision[], recordedAt: Instant): Promise<void> {
  if (stored.length === 0) return;
  const transactions = stored.map((decision) => agentPayment(decision, recordedAt));
  const ledgerIds = new Map(stored.map(({ transactionId }, index) => [transactionId, transactions[index]?.id ?? '']));
  await openConfirmStore(session).register(stored, ledgerIds, recordedAt);
  await openLedger(session).post(transactions);
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

async function writeRefused(
  session: Session,
  refused: readonly RefuseDecision[],
  recordedAt: Instant,
  calendar: BusinessCalendar,
): Promise<void> {
  if (refused.length === 0) return;
  const store = openRefusalStore(session);
  const first = refused.filter(({ before }) => before === undefined);
  await store.record(first);
  for (const decision of refused) {
    if (decision.before !== undefined) await store.countAgain(decision);
  }
  const breaks = first.flatMap((decision) => breakOf(decision, calendar) ?? []);
  await openBreakStore(session).openNew(breaks, recordedAt, ACTOR);
}

/**
 * Returns the break of a refused call, because the agent's money may have moved. A resend of a stored call opens none.
 */
function breakOf({ command, reason }: RefuseDecision, calendar: BusinessCalendar): NewBreak | undefined {
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

function byFingerprint(a: RefuseDecision, b: RefuseDecision): number {
  return compareBytes(a.command.fingerprint, b.command.fingerprint);
}
