import type { Instant, Millimes } from '../../kernel';

/** Interface section 3.4: succeeded, pending, failed, refunded, refund pending, refund failed, unknown, authorized. */
export type PosStatus = 'PS' | 'PP' | 'PF' | 'PR' | 'RP' | 'RF' | 'PU' | 'PA';

/** The methods in the status; a terminal accepts all except `cash`. */
export type PosMethod = 'card' | 'wallet' | 'nfc' | 'check' | 'cash';

export interface SimPosTransaction {
  readonly serviceTransactionId: string;
  readonly developerTrackingId: string;
  readonly terminalId: string;
  readonly serialNumber: string;
  readonly amountMillimes: Millimes;
  readonly webhook: string | null;
  /** Made with a test application. */
  readonly isTest: boolean;
  readonly createdAt: Instant;
  paymentMethod: PosMethod;
  status: PosStatus;
}

export interface PosState {
  /** By service transaction id, oldest first. */
  readonly transactions: Record<string, SimPosTransaction>;
}

export function emptyPosState(): PosState {
  return { transactions: {} };
}

declare module '../core/world' {
  interface World {
    readonly pos: PosState;
  }
}
