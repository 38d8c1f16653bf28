import type { Simulation } from '../core/simulation';
import type { SimPayment } from './checkout-state';

/** The invented payer of a payment. */
export interface SimPayer {
  readonly orderNumber: string;
  readonly name: string;
  readonly approvalCode: string;
  /** Empty for some payers, as the interface allows. */
  readonly phoneNumber: string;
  readonly email: string;
  readonly cardLastFour: string;
  readonly cardBrand: string;
  readonly failureReason: string;
}

const NAMES = ['Leila Ben Salah', 'Sami Trabelsi', 'أمينة الشابي', 'Youssef Gharbi', 'Inès Khémiri'] as const;
const BRANDS = ['VISA', 'MASTERCARD'] as const;
const FAILURE_REASONS = ['insufficient funds', 'refused by the issuer', 'wrong code'] as const;

/** Derives the payer from the seed and the payment's id, so it is always the same and need not be stored. */
export function payerOf({ random }: Simulation, { paymentId }: Pick<SimPayment, 'paymentId'>): SimPayer {
  const own = random.fork(`payer-details:${paymentId}`);
  return {
    orderNumber: String(own.int(1, 999_999)).padStart(6, '0'),
    name: own.pick(NAMES),
    approvalCode: own.hex(6).toUpperCase(),
    phoneNumber: own.pick(['', `2${String(own.int(0, 9_999_999)).padStart(7, '0')}`]),
    email: own.pick(['', `customer${own.int(1, 9_999)}@mail.example`]),
    cardLastFour: String(own.int(0, 9_999)).padStart(4, '0'),
    cardBrand: own.pick(BRANDS),
    failureReason: own.pick(FAILURE_REASONS),
  };
}
