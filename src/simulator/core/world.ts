import type { Instant } from '../../kernel';
import { emptyCheckoutState, type CheckoutState } from '../checkout/checkout-state';
import { emptyFaultState, type FaultState } from '../faults/fault-state';
import type { PayableItem } from '../payouts/payable-item';
import { EMPTY_PAYOUT_BOOK, type PayoutBook } from '../payouts/payout-book';
import { emptyPosState, type PosState } from '../pos/pos-state';
import { emptyQrState, type QrState } from '../qr/qr-state';
import { emptySubscriptionState, type SubscriptionState } from '../subscriptions/subscription-state';
import { emptyWalletState, type WalletState } from '../wallet/wallet-state';
import { emptyWebhookState, type WebhookState } from '../webhooks/webhook-state';
import type { TimelineEvent } from './timeline-event';

/** One line of what happened, in order. The same seed and the same calls give the same trace. */
export interface TraceEntry {
  readonly number: number;
  /** UTC ISO 8601, of the simulated time. */
  readonly at: string;
  readonly what: string;
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
}

/** An agent's payment that the integrator stored. */
export interface AgentPayment {
  readonly transactionId: string;
  readonly agentId: string;
  readonly amountMillimes: number;
  readonly at: Instant;
}

/** What is saved of the simulated gateway: plain data in one JSON file. */
export interface World {
  readonly seed: number;
  /** The simulated time that has been reached. */
  now: Instant;
  /** Counts everything that needs an order. */
  lastNumber: number;
  randomState: string;
  timeline: readonly TimelineEvent[];
  trace: TraceEntry[];
  /** What is earned is added in place: a month has more payments than could be copied at each one. */
  payoutBook: PayoutBook & { readonly open: PayableItem[] };
  /** Everything that was ever earned, in order; of the payout book only what is open keeps its instants. */
  earned: PayableItem[];
  agentPayments: Record<string, AgentPayment>;
  readonly checkout: CheckoutState;
  readonly subscriptions: SubscriptionState;
  readonly wallet: WalletState;
  readonly pos: PosState;
  readonly qr: QrState;
  readonly webhooks: WebhookState;
  readonly faults: FaultState;
}

export function emptyWorld(seed: number, now: Instant, randomState: string): World {
  return {
    seed,
    now,
    lastNumber: 0,
    randomState,
    timeline: [],
    trace: [],
    payoutBook: { ...EMPTY_PAYOUT_BOOK, open: [] },
    earned: [],
    agentPayments: {},
    checkout: emptyCheckoutState(),
    subscriptions: emptySubscriptionState(),
    wallet: emptyWalletState(),
    pos: emptyPosState(),
    qr: emptyQrState(),
    webhooks: emptyWebhookState(),
    faults: emptyFaultState(),
  };
}
