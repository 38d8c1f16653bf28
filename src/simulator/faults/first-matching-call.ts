import type { MagicCall } from '../core/magic-amounts';
import type { SimOperation, SimRequest } from '../core/operation';
import { bodyField } from '../core/requests';
import type { Simulation } from '../core/simulation';

/** Beyond this number the oldest calls are dropped and could be affected again. */
export const STRUCK_MAX = 10_000;

/** The keys that repeated calls share: hosted checkout, subscriptions and POS; QR codes; wallets. */
const NATURAL_KEYS = ['developer_tracking_id', 'operation_uuid', 'tracking_id'] as const;

export interface MatchingCall {
  readonly operation: SimOperation;
  readonly call: SimRequest;
  readonly magic: MagicCall;
}

/**
 * Returns whether a magic amount affects this call: the first call of its operation, amount and natural key, or any
 * call without a natural key. A caller who repeats a failed call sees the repeat succeed.
 */
export function isFirstMatchingCall(
  { world: { faults } }: Simulation,
  { operation, call, magic }: MatchingCall,
): boolean {
  const key = naturalKeyOf(call);
  if (key === undefined) return true;
  const strike = JSON.stringify([operation.name, magic, key]);
  if (faults.struck.includes(strike)) return false;
  faults.struck = [...faults.struck, strike].slice(-STRUCK_MAX);
  return true;
}

function naturalKeyOf(call: SimRequest): string | undefined {
  const given = NATURAL_KEYS.map((name) => bodyField(call, name) ?? call.query.get(name));
  return given.find((value): value is string => typeof value === 'string' && value !== '');
}
