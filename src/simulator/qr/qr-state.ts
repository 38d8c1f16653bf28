import type { Instant, Millimes } from '../../kernel';

/** A code that can be paid, any number of times (open point 80). */
export interface SimQrCode {
  /** In lower case. */
  readonly operationUuid: string;
  readonly merchantId: number;
  readonly amountMillimes: Millimes;
  readonly createdAt: Instant;
}

export interface SimQrPayment {
  readonly transactionUniqueId: string;
  readonly operationUuid: string;
  readonly merchantId: number;
  readonly amountMillimes: Millimes;
  readonly paidAt: Instant;
  /** Whose wallet paid: `service`, or another licensed one. */
  readonly channel: string;
}

/** What the simulator knows of QR codes. */
export interface QrState {
  /** By operation uuid. */
  readonly codes: Record<string, SimQrCode>;
  /** The oldest first. */
  readonly payments: SimQrPayment[];
}

export function emptyQrState(): QrState {
  return { codes: {}, payments: [] };
}
