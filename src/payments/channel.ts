import type { BusinessDays } from '../attempts';
import type { NewBreak, Resolution } from '../breaks';
import type { Session } from '../db';
import type { GatewayClient } from '../gateway';
import type { GatewayItem } from '../gateway-items';
import type { Instant, Millimes } from '../kernel';
import type { Payment, PaymentObservation } from './payment';
import type { PaymentChange } from './payment-store';

/** A field in which the gateway's report differs from the request. */
export interface Mismatch {
  /** The interface's name of the field. */
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
  /** By default `may_have_moved`. */
  readonly direction?: NewBreak['direction'];
  readonly facts?: NewBreak['subject']['facts'];
  /** By default the item of the payment. */
  readonly itemIds?: readonly string[];
}

/** A request to ask the gateway about a payment of a channel without sessions: POS, QR or wallet. */
export interface ChannelQuestion {
  readonly gateway: GatewayClient;
  /** The payment as it was stored before the call, `made` or `unknown`. */
  readonly payment: Payment;
  /** When the payment was sent to the gateway, as far as Millime knows. */
  readonly startedAt: Instant;
  /** The time before the call: events during the call are left for the next status check. */
  readonly observedAt: Instant;
  /** Whether the credential that asks belongs to the test application. */
  readonly isTest: boolean;
}

export type ChannelAnswer =
  | {
      readonly kind: 'answered';
      /** Its `detail` is the whole decoded body. */
      readonly observation: Omit<PaymentObservation, 'trackingId' | 'observedAt'>;
      /**
       * Decides in the transaction that applies the answer. It may write rows of its channel; it does not call the
       * gateway.
       */
      decide(facts: ChannelFacts, rows: ChannelRows): Promise<ChannelDecision> | ChannelDecision;
    }
  /** No customer can pay it. The change ends the request, unless its outcome was found meanwhile. */
  | { readonly kind: 'ended'; readonly change: PaymentChange }
  /** The gateway may not be asked now. */
  | { readonly kind: 'not_asked'; readonly retryAfterMs: number; readonly reason: string };

/** The stored state on which a channel decides, read under the lock of the payment's row. */
export interface ChannelFacts extends BusinessDays {
  readonly payment: Payment;
  readonly startedAt: Instant;
  readonly observedAt: Instant;
  /** Returns when to check next: soon after the start, after an hour, then daily; from `followedUntil` on never. */
  nextCheck(followedUntil: Instant): Instant | undefined;
  /** Returns whether the given differences prevent posting, because no person has decided about them yet. */
  isHeld(found: readonly Mismatch[]): boolean;
}

/** Rows that a channel reads and writes in the transaction that applies its answer. */
export interface ChannelRows {
  /** Access to the tables of the channel. */
  readonly session: Session;
  /** Returns the observations of the payment before this answer, oldest first. */
  observations(): Promise<readonly PaymentObservation[]>;
  /** Returns whether a payment has this id of the gateway. */
  isKnown(gatewayId: string): Promise<boolean>;
}

/** The effects of a channel's answer on a payment. */
export interface ChannelDecision {
  readonly change: PaymentChange;
  /** Posted in this order, each at most once. */
  readonly items: readonly GatewayItem[];
  /** Opened once each. */
  readonly breaks: readonly FoundByStatusCheck[];
  /** Opened, and replaced or reopened when their amount changes. */
  readonly growing?: readonly FoundByStatusCheck[];
  /** The fields that differ now. A break about any other field is resolved. Undefined: nothing was compared. */
  readonly mismatches?: readonly Mismatch[];
  /** Ids of breaks that this answer resolves. */
  readonly resolve?: readonly { readonly id: string; readonly resolution: Resolution }[];
}
