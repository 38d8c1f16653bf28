/**
 * The number of working days after which a difference becomes a break. A class without a field becomes one immediately.
 */
export interface Grace {
  /** Counted from the working day after the cut. */
  readonly missingInBank: number;
  /** Counted from the booking. */
  readonly missingInBook: number;
  /** Counted from the working day after the payment. */
  readonly lateSettlement: number;
}

export const DEFAULT_GRACE: Grace = { missingInBank: 3, missingInBook: 2, lateSettlement: 2 };
