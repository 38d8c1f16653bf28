import type { BusinessDate, Instant } from '../../kernel';
import type { PaymentSource } from '../payment-list-read-model';

/** The most rows that one page reads of each table without a place in time. */
export const ROWS_PER_SOURCE = 500;

/** The ids by which the rows of a payment are found. */
export interface TimelinePayment {
  readonly source: PaymentSource;
  readonly id: string;
  readonly at: Instant;
  readonly day: BusinessDate;
  /** The gateway's id; a confirm has none. */
  readonly gatewayId: string | undefined;
  /** The attempt, the subscription of a charge, the code of a QR payment. */
  readonly trackingId: string | undefined;
  /** The item of its money, and those of its refunds. Breaks name the item before it is posted. */
  readonly itemIds: readonly string[];
}
