/** Working days that a difference may last before it is a break. What is not named here is one at once. */
export interface Grace {
  /** After the working day that follows the cut. */
  readonly missingInBank: number;
  /** After the booking. */
  readonly missingInBook: number;
  /** After the working day that follows the payment. */
  readonly lateSettlement: number;
}

export const DEFAULT_GRACE: Grace = { missingInBank: 3, missingInBook: 2, lateSettlement: 2 };
