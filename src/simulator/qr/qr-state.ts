import type { Instant, Millimes } from '../../kernel';

/** A code that can be paid any number of times (open point 80). */
export interface SimQrCode {
  /** In lower case. */
  readonly operationUuid: string;
  readonly merchantId: number;
  readonly amountMillimes: Millimes;
  /** Made with a test application. */
  readonly isTest: boolean;
  readonly createdAt: Instant;
}

export interface SimQrPayment {
  readonly transactionUniqueId: string;
  readonly operationUuid: string;
  readonly merchantId: number;
  readonly amountMillimes: Millimes;
  /** Taken from its code: a test payment moves no money. */
  readonly isTest: boolean;
  readonly paidAt: Instant;
  /** The wallet that paid: `service`, or another licensed one. */
  readonly channel: string;
}

export interface QrState {
  /** By operation uuid. */
  readonly codes: Record<string, SimQrCode>;
  /** The oldest first. */
  readonly payments: SimQrPayment[];
}

export function emptyQrState(): QrState {
  return { codes: {}, payments: [] };
}

declare module '../core/world' {
  interface World {
    readonly qr: QrState;
  }
}
