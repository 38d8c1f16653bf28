import { numberError } from '../core/answers';
import type { FieldCheck } from '../core/field-check';
import type { SimAnswer } from '../core/operation';
import type { Simulation } from '../core/simulation';
import type { SimWallet } from './wallet-state';

const COUNTRY_PREFIX = '216';
const LOCAL_DIGITS = 8;

/**
 * The wallet that a call names. The interface shows no refusal for this, so the simulator uses one of its six error
 * shapes.
 */
export type NamedWallet =
  { readonly kind: 'wallet'; readonly wallet: SimWallet } | { readonly kind: 'refused'; readonly answer: SimAnswer };

/** Reads `phone_number`; an invalid number is a fault of the field. */
export function checkPhoneNumber(check: FieldCheck): string {
  const text = check.text('phone_number');
  const phoneNumber = phoneNumberOf(text);
  if (text !== '' && phoneNumber === undefined) check.refuse('phone_number', 'is not a phone number');
  return phoneNumber ?? '';
}

/**
 * Reads the wallet that a request names by `phone_number` and `tracking_id`, and returns the refusal if any field is
 * faulty. Both must belong to one wallet.
 */
export function namedWallet({ world }: Simulation, check: FieldCheck): NamedWallet {
  const phoneNumber = checkPhoneNumber(check);
  const trackingId = check.uuid('tracking_id');
  const refusal = check.refusal();
  if (refusal !== undefined) return { kind: 'refused', answer: refusal };
  const wallet = walletOf(world.wallet.wallets, trackingId);
  if (wallet?.phoneNumber !== phoneNumber) return { kind: 'refused', answer: numberError(404, 'Wallet not linked') };
  return { kind: 'wallet', wallet };
}

export function walletOf(wallets: Readonly<Record<string, SimWallet>>, trackingId: string): SimWallet | undefined {
  return Object.hasOwn(wallets, trackingId) ? wallets[trackingId] : undefined;
}

/**
 * Returns the digits of a phone number with the country's prefix, so that `20 123 456`, `+216 20123456` and
 * `0021620123456` are one number (open point 36). `undefined` for any other text.
 */
function phoneNumberOf(text: string): string | undefined {
  const digits = text.replace(/[ ]/g, '').replace(/^(\+|00)/, '');
  if (!/^\d{8,15}$/.test(digits)) return undefined;
  return digits.length === LOCAL_DIGITS ? `${COUNTRY_PREFIX}${digits}` : digits;
}
