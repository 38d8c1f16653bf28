import type { PosMethod, PosStatus, SimPosTransaction } from './pos-state';

/** The interface shows no transitions (section 3.4); its wording allows these. */
const NEXT: Readonly<Record<PosStatus, readonly PosStatus[]>> = {
  PP: ['PA', 'PS', 'PF', 'PU'],
  PA: ['PS', 'PF', 'PU'],
  PU: ['PS', 'PF'],
  // A late success.
  PF: ['PS'],
  PS: ['RP', 'PR'],
  RP: ['PR', 'RF'],
  RF: ['RP', 'PR'],
  PR: [],
};

/** Interface section 3.3: a POS transaction is never IN_PAYOUT or PAID. */
const SETTLEMENT: Readonly<Record<PosStatus, 'PROCESSING' | 'AVAILABLE' | 'NOT_APPLICABLE'>> = {
  // "Pending authorization": no card was shown yet.
  PP: 'NOT_APPLICABLE',
  // "While an authorization is in flight".
  PA: 'PROCESSING',
  PU: 'PROCESSING',
  PF: 'NOT_APPLICABLE',
  PS: 'AVAILABLE',
  // The money stays the merchant's until the refund completes.
  RP: 'AVAILABLE',
  RF: 'AVAILABLE',
  PR: 'NOT_APPLICABLE',
};

export function mayBecome(current: PosStatus, next: PosStatus): boolean {
  return NEXT[current].includes(next);
}

/** Returns whether the money passes through the gateway: cash and checks stay with the merchant (open point 126). */
export function isCleared(method: PosMethod): boolean {
  return method !== 'cash' && method !== 'check';
}

/** Returns the settlement status; `undefined` where test mode has none (interface section 2.6). */
export function settlementStatusOf({ status, paymentMethod, isTest }: SimPosTransaction): string | undefined {
  if (isTest && paymentMethod === 'nfc') return undefined;
  return isCleared(paymentMethod) ? SETTLEMENT[status] : 'NOT_APPLICABLE';
}
