import type { Agent } from '../agents';
import { type Millimes, millimes, ZERO_MILLIMES } from '../kernel';
import type { ConfirmCommand } from './confirm-command';

/** What becomes of a confirm. */
export type ConfirmOutcome =
  | 'stored'
  | 'unknown_agent'
  | 'invalid_amount'
  | 'duplicate_transaction'
  /** No business answer: it would be a refusal, and the caller had too many. */
  | 'limited';

/** Why Millime did not store a call. The last two are resends of a registered id. */
export const REFUSAL_KINDS = [
  'unknown_agent',
  'invalid_amount',
  'unusable_transaction',
  'identical',
  'conflicting',
] as const;
export type RefusalKind = (typeof REFUSAL_KINDS)[number];

/** A stored confirm. */
export interface RegisteredConfirm {
  readonly fingerprint: string;
  readonly attemptId: string;
}

/** An earlier refused call. */
export interface EarlierRefusal {
  readonly fingerprint: string;
  readonly kind: RefusalKind;
}

/** The stored facts about a batch of commands, read before the decision. */
export interface ConfirmFacts {
  readonly registered: ReadonlyMap<string, RegisteredConfirm>;
  readonly agents: ReadonlyMap<string, Agent>;
  /** By agentId. They are locked, so they are still true when the batch is written. */
  readonly balances: ReadonlyMap<string, Millimes>;
  /** By transactionId, and by fingerprint for calls whose transactionId is unusable. */
  readonly refusals: ReadonlyMap<string, readonly EarlierRefusal[]>;
  /** The highest amount of one confirm; undefined for no limit. */
  readonly amountMax: number | undefined;
}

export type Decision =
  | {
      readonly kind: 'store';
      readonly command: ConfirmCommand;
      readonly transactionId: string;
      readonly agentId: string;
      readonly amount: Millimes;
      readonly balanceBefore: Millimes;
      /** Earlier refused calls with the same transactionId. Their breaks are linked to this confirm. */
      readonly refusedBefore: readonly EarlierRefusal[];
    }
  /** This attempt is already stored: its COMMIT succeeded although the answer was lost. */
  | { readonly kind: 'stored_already'; readonly command: ConfirmCommand }
  | {
      readonly kind: 'refuse';
      readonly command: ConfirmCommand;
      readonly reason: RefusalKind;
      /** The same call, if it was refused for the same reason before. */
      readonly before: EarlierRefusal | undefined;
    }
  /** Would be refused, but the caller had too many refusals. Nothing is stored of it. */
  | { readonly kind: 'limit'; readonly command: ConfirmCommand };

/** Returns whether the caller of a command may get one more refusal that counts toward its limit. */
export type MayRefuse = (command: ConfirmCommand) => boolean;

/** Returns the key of a command's transaction in `ConfirmFacts.refusals`. */
export function refusalKey(command: Pick<ConfirmCommand, 'transactionId' | 'fingerprint'>): string {
  return command.transactionId === undefined ? `call:${command.fingerprint}` : `id:${command.transactionId}`;
}

/**
 * Decides a batch, in order, as if its commands arrived one after the other. Pure. The order of the checks is 3, 1, 2.
 * A registered or unusable transactionId is answered first, so that a resend gets the same answer even if the agent was
 * closed since. Then come an unknown agent and an invalid amount (open point 88). `mayRefuse` admits each refusal that
 * counts toward the caller's limit.
 */
export function decide(
  commands: readonly ConfirmCommand[],
  facts: ConfirmFacts,
  mayRefuse: MayRefuse = () => true,
): Decision[] {
  const registered = new Map(facts.registered);
  const balances = new Map(facts.balances);
  const refusals = new Map(facts.refusals);
  return commands.map((command): Decision => {
    const { transactionId, agentId, amount } = command;
    const earlier = refusals.get(refusalKey(command)) ?? [];
    const refuse = (reason: RefusalKind): Decision => {
      const before = earlier.find(({ kind, fingerprint }) => kind === reason && fingerprint === command.fingerprint);
      if (isCounted(reason, before, earlier) && !mayRefuse(command)) return { kind: 'limit', command };
      const noted = { kind: reason, fingerprint: command.fingerprint };
      refusals.set(refusalKey(command), [...earlier.filter((each) => each !== before), noted]);
      return { kind: 'refuse', command, reason, before };
    };

    if (transactionId === undefined) return refuse('unusable_transaction');
    const holder = registered.get(transactionId);
    if (holder?.attemptId === command.attemptId) return { kind: 'stored_already', command };
    if (holder !== undefined) {
      return refuse(holder.fingerprint === command.fingerprint ? 'identical' : 'conflicting');
    }
    if (agentId === undefined || facts.agents.get(agentId)?.status !== 'open') return refuse('unknown_agent');
    const balanceBefore = balances.get(agentId) ?? ZERO_MILLIMES;
    if (amount === undefined || !isAcceptable(amount, balanceBefore, facts.amountMax)) return refuse('invalid_amount');

    registered.set(transactionId, { fingerprint: command.fingerprint, attemptId: command.attemptId });
    balances.set(agentId, millimes(balanceBefore - amount));
    const refusedBefore = earlier.filter(({ kind }) => kind === 'unknown_agent' || kind === 'invalid_amount');
    return { kind: 'store', command, transactionId, agentId, amount, balanceBefore, refusedBefore };
  });
}

/**
 * Returns whether a refusal counts toward the caller's limit: if it tells about an agent, or stores one more call. Not a
 * resend of a registered transaction, nor the first call that conflicts with it: their number is bounded by the stored
 * confirms, and a gateway that repeats one must get its `3`.
 */
function isCounted(
  reason: RefusalKind,
  before: EarlierRefusal | undefined,
  earlier: readonly EarlierRefusal[],
): boolean {
  if (reason === 'identical') return false;
  if (reason !== 'conflicting') return true;
  return before === undefined && earlier.some(({ kind }) => kind === 'conflicting');
}

/**
 * Returns whether an amount is acceptable: above 0 and within the limit. It may exceed the due amount, as long as the
 * agent's credit stays a safe integer.
 */
function isAcceptable(amount: Millimes, balanceBefore: Millimes, amountMax: number | undefined): boolean {
  return (amountMax === undefined || amount <= amountMax) && Number.isSafeInteger(balanceBefore - amount);
}

export function outcomeOf(decision: Decision): ConfirmOutcome {
  if (decision.kind === 'limit') return 'limited';
  if (decision.kind !== 'refuse') return 'stored';
  switch (decision.reason) {
    case 'unknown_agent':
    case 'invalid_amount':
      return decision.reason;
    case 'unusable_transaction':
    case 'identical':
    case 'conflicting':
      return 'duplicate_transaction';
  }
}
