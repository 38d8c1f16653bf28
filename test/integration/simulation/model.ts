import type { ConfirmOutcome } from '../../../src/agent-settlement/testing';
import type { BusinessDate } from '../../../src/kernel';
import type { PaymentRequest } from '../../../src/payments';
import type { StatementGiven } from '../../fixtures/statements/statement-bytes';
import { type ItemChannel, type PaidGiven, shareOf } from '../ledger/gateway-money';

export interface Call {
  readonly transactionId: string;
  readonly agentId: string;
  readonly amount: number;
}

/** An account of a bank: what the bank says of it, and what the books have of that. */
export interface BankState {
  /** What the bank says it holds: each good statement starts where the one before ended. */
  readonly balance: number;
  /** What the books say: another amount when a statement is missing, or does not add up and was accepted. */
  readonly booked: number;
  /** What it held before its first line that counts, and the day of that; undefined while nothing counts. */
  readonly first: { readonly opening: number; readonly date: BusinessDate } | undefined;
  /** The last good statement. */
  readonly last: StatementGiven | undefined;
  /** The bytes of the files that were taken. */
  readonly files: readonly Uint8Array[];
  /** Statements that are missing. */
  readonly gaps: number;
}

/** A payment through the gateway, as the books should have it. */
export interface PaidState {
  readonly given: PaidGiven;
  /** By the id of the refund. */
  readonly refunds: ReadonlyMap<string, number>;
  /** As last reported. */
  readonly fee: { readonly fee: number; readonly tva: number } | undefined;
}

/** Money of a hosted checkout that is in the books. */
export interface Collected {
  readonly itemId: string;
  readonly channel: ItemChannel;
  readonly amount: number;
  readonly agentId: string | undefined;
}

const FIRST_OPENING = 1_000_000;

/** The books as a few maps: what people, the gateway and the bank have said, and were told was taken. */
export class Model {
  readonly agents = new Map<string, 'open' | 'closed'>();
  readonly dues = new Map<string, { readonly agentId: string; readonly amount: number; readonly cancelled: boolean }>();
  readonly stored = new Map<string, Call>();
  readonly banks = new Map<string, BankState>();
  /** What came through the other channels and is in the books, by the gateway's id. */
  readonly paid = new Map<string, PaidState>();
  /** The agent whose due a hosted checkout pays, by its amount, which no other one has. */
  readonly asked = new Map<number, string | undefined>();
  /** The requests of hosted checkouts, to be repeated. */
  readonly requests: PaymentRequest[] = [];
  /** Closed for good: no import brings them back. */
  readonly erased = new Set<string>();
  /** The windows that the job has posted. */
  readonly jobWindows = new Set<string>();
  /** What the books have of hosted checkouts, as far as the gateway says the same. */
  collected: readonly Collected[] = [];
  /** Those of which a `0` was read. */
  readonly acknowledged = new Set<string>();
  /** Stored, and not in a payout yet, in the order of their receipt. */
  unpaid: Call[] = [];
  /** What the bank paid for confirms. */
  paidOut = 0n;
  /** Moved by hand to dues_assessed from opening_balances. */
  byHand = 0n;
  /** Calls that were not stored: at least as many as were answered, at most as many as were made. */
  refusalsAnswered = 0;
  refusalsMade = 0;

  owed(agentId: string): bigint {
    const dues = sum([...this.dues.values()].filter((due) => due.agentId === agentId && !due.cancelled));
    const confirmed = sum([...this.stored.values()].filter((call) => call.agentId === agentId));
    const collected = sum(this.collected.filter((each) => each.agentId === agentId));
    return dues - confirmed - collected - this.kept(({ given }) => given.agentId === agentId);
  }

  /**
   * Whether a checkout may still pay a due of the agent. Its money could not be posted beside as much as can be counted
   * at all, so such agents never have that much.
   */
  mayBePaidFor(agentId: string): boolean {
    return [...this.asked.values()].includes(agentId);
  }

  /** What the payments chosen brought, less what was refunded of them. */
  kept(chosen: (paid: PaidState) => boolean): bigint {
    return sum([...this.paid.values()].filter(chosen).map((paid) => ({ amount: keptOf(paid) })));
  }

  /** What the gateway owes through a channel: what came less what was refunded and what it charged. */
  clearing(channel: ItemChannel): bigint {
    const paid = [...this.paid.values()].filter(({ given }) => given.channel === channel);
    const charged = paid.map(({ fee }) => ({ amount: (fee?.fee ?? 0) + (fee?.tva ?? 0) }));
    const collected = sum(this.collected.filter((each) => each.channel === channel));
    return this.kept(({ given }) => given.channel === channel) + collected - sum(charged);
  }

  /** What customers paid who are no agents. */
  received(): bigint {
    const collected = sum(this.collected.filter(({ agentId }) => agentId === undefined));
    return this.kept(({ given }) => given.agentId === undefined) + collected;
  }

  /** Precedence 3, 1, 2. */
  outcomeOf({ transactionId, agentId, amount }: Call): ConfirmOutcome {
    if (this.stored.has(transactionId)) return 'duplicate_transaction';
    if (this.agents.get(agentId) !== 'open') return 'unknown_agent';
    const good = Number.isSafeInteger(amount) && amount > 0 && isCountable(this.owed(agentId) - BigInt(amount));
    return good ? 'stored' : 'invalid_amount';
  }

  /** What a batch is answered, one call after the other, and the calls that it stores. */
  outcomesOf(calls: readonly Call[]): { outcomes: ConfirmOutcome[]; stores: Call[] } {
    const after = this.#copy();
    const outcomes = calls.map((call) => {
      const outcome = after.outcomeOf(call);
      if (outcome === 'stored') after.stored.set(call.transactionId, call);
      return outcome;
    });
    return { outcomes, stores: calls.filter((_, index) => outcomes[index] === 'stored') };
  }

  store(calls: readonly Call[]): void {
    for (const call of calls) this.stored.set(call.transactionId, call);
    this.unpaid.push(...calls);
  }

  bank(account: string): BankState {
    return (
      this.banks.get(account) ?? {
        balance: FIRST_OPENING,
        booked: 0,
        first: undefined,
        last: undefined,
        files: [],
        gaps: 0,
      }
    );
  }

  /** What the accounts of the ledger hold that no single agent owns. */
  sums(): Record<'assessed' | 'opening' | 'confirmed', bigint> {
    return {
      assessed: sum([...this.dues.values()].filter(({ cancelled }) => !cancelled)) - this.byHand,
      opening: sum([...this.banks.values()].map(({ first }) => ({ amount: first?.opening ?? 0 }))) + this.byHand,
      confirmed: sum([...this.stored.values()]),
    };
  }

  #copy(): Model {
    const copy = new Model();
    for (const [id, status] of this.agents) copy.agents.set(id, status);
    for (const [reference, due] of this.dues) copy.dues.set(reference, due);
    for (const [id, call] of this.stored) copy.stored.set(id, call);
    for (const [id, paid] of this.paid) copy.paid.set(id, paid);
    copy.collected = this.collected;
    return copy;
  }
}

/** What is left of a payment after its refunds. */
export function keptOf({ given, refunds }: PaidState): number {
  return [...refunds.values()].reduce((left, amount) => left - amount, shareOf(given));
}

export function sum(rows: readonly { readonly amount: number }[]): bigint {
  return rows.reduce((total, { amount }) => total + BigInt(amount), 0n);
}

export function isCountable(amount: bigint): boolean {
  return Number.isSafeInteger(Number(amount));
}
