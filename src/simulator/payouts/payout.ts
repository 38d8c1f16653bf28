import type { BusinessDate, Instant, Millimes } from '../../kernel';
import type { Fee } from './fee-of';
import type { PayoutChannel } from './payable-item';
import type { PayoutModel, PayoutStream } from './payout-model';

/** One item of a payout. A fee on the payout as a whole is not in its lines. */
export interface PayoutLine extends Fee {
  readonly itemId: string;
  readonly channel: PayoutChannel;
  readonly amountMillimes: Millimes;
}

/** Sums of items. Net = gross − fee − TVA, exact to the millime. */
export interface PayoutSums extends Fee {
  readonly grossMillimes: Millimes;
  readonly netMillimes: Millimes;
}

/** One transfer of the gateway. The interface does not show it; only the simulator and its truth file do. */
export interface Payout extends PayoutSums {
  readonly payoutId: string;
  readonly model: PayoutModel;
  readonly stream: PayoutStream;
  /** From this instant its items are IN_PAYOUT. */
  readonly cutAt: Instant;
  /** From this instant its items are PAID. */
  readonly transferAt: Instant;
  readonly bookingDate: BusinessDate;
  readonly valueDate: BusinessDate;
  /** In the order of availability. */
  readonly lines: readonly PayoutLine[];
}

export const itemIdsOf = ({ lines }: Payout): string[] => lines.map(({ itemId }) => itemId);
