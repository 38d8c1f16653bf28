/** A webhook of the gateway (interface section 6). */
export type WebhookMessage =
  | { readonly kind: 'payment_v1'; readonly url: string; readonly paymentId: string; readonly success: boolean }
  | {
      readonly kind: 'payment_v2' | 'subscription';
      readonly url: string;
      /** The value of X-Service-Event, and of `event` in the body. */
      readonly event: string;
      readonly body: Readonly<Record<string, unknown>>;
    }
  | {
      /** Unsigned: POS, partner payments, payouts (section 6.5). */
      readonly kind: 'hint';
      readonly url: string;
      readonly channel: HintChannel;
      readonly body: Readonly<Record<string, unknown>>;
    };

export type HintChannel = 'pos' | 'partner' | 'payout';
