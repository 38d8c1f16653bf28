import type { BusinessDays } from '../attempts';
import type { NewBreak } from '../breaks';
import type { Session } from '../db';
import type { GatewayClient } from '../gateway';
import type { GatewayItem } from '../gateway-items';
import type { Instant, Millimes } from '../kernel';
import type { Payment, PaymentObservation } from './payment';
import type { PaymentChange } from './payment-store';

/** A field that the gateway reports otherwise than it was requested. */
export interface Mismatch {
  /** As the interface names it. */
  readonly field: string;
  readonly ours: string | number;
  readonly theirs: string | number;
}

/** A break that a status check found. The check adds the day and the payment. */
export interface FoundByStatusCheck extends Pick<NewBreak, 'breakClass'> {
  /** Distinguishes it from other breaks of the class and the payment. */
  readonly detail?: string;
  /** By default the captured amount, or the share of Millime's merchant. */
  readonly amount?: Millimes;
  readonly facts?: NewBreak['subject']['facts'];
  /** By default the item of the payment. */
  readonly itemIds?: readonly string[];
}

/** A request to ask the gateway about a payment of a channel without sessions: POS, QR or wallet. */
export interface ChannelQuestion {
  readonly gateway: GatewayClient;
  /** `made` or `unknown`, as it was stored before the call. */
  readonly payment: Payment;
  /** When the payment was sent to the gateway, as far as Millime knows. */
  readonly startedAt: Instant;
  /** Before the call: events that happen while it is in transit are left for the next status check. */
  readonly observedAt: Instant;
  /** Whether the credential that asks belongs to the test application. */
  readonly isTest: boolean;
}

export type ChannelAnswer =
  | {
      readonly kind: 'answered';
      /** With the whole decoded body as `detail`. */
      readonly observation: Omit<PaymentObservation, 'trackingId' | 'observedAt'>;
      /** Decides in the transaction that applies the answer. It may write rows of its channel; it calls no gateway. */
      decide(facts: ChannelFacts, rows: ChannelRows): Promise<ChannelDecision> | ChannelDecision;
    }
  /** No customer can pay it. The change ends the request, unless its outcome was found meanwhile. */
  | { readonly kind: 'ended'; readonly change: PaymentChange }
  /** The gateway may not be asked now. */
  | { readonly kind: 'not_asked'; readonly retryAfterMs: number; readonly reason: string };

/** The stored state that a channel decides by, read under the lock of the payment's row. */
export interface ChannelFacts extends BusinessDays {
  readonly payment: Payment;
  readonly startedAt: Instant;
  readonly observedAt: Instant;
  /** Returns when to check next: soon after the start, after an hour, then daily; from `followedUntil` on never. */
  nextCheck(followedUntil: Instant): Instant | undefined;
  /** Returns whether a difference forbids to post, given what differs now: no person has decided about it yet. */
  isHeld(found: readonly Mismatch[]): boolean;
}

/** Rows that a channel reads and writes in the transaction that applies its answer. */
export interface ChannelRows {
  /** For tables of the channel. */
  readonly session: Session;
  /** The observations of the payment before this answer, the oldest first. */
  observations(): Promise<readonly PaymentObservation[]>;
  /** Returns whether a payment has this id of the gateway. */
  isKnown(gatewayId: string): Promise<boolean>;
}

/** The effects of a channel's answer on a payment. */
export interface ChannelDecision {
  readonly change: PaymentChange;
  /** Posted in this order, each at most once ever. */
  readonly items: readonly GatewayItem[];
  /** Opened once each. */
  readonly breaks: readonly FoundByStatusCheck[];
  /** Opened, and replaced or reopened when their amount changes. */
  readonly growing?: readonly FoundByStatusCheck[];
  /** The fields that differ now; a break that an earlier answer opened for another field ends. Undefined: none compared. */
  readonly mismatches?: readonly Mismatch[];
  /** Ids of breaks that this answer resolves. */
  readonly resolve?: readonly { readonly id: string; readonly resolution: string }[];
}
