import type { MagicCall } from '../core/magic-amounts';
import type { SimOperation, SimRequest } from '../core/operation';
import { bodyField } from '../core/requests';
import type { Simulation } from '../core/simulation';

/** Beyond this number the oldest are forgotten, and would be affected again. */
export const STRUCK_MAX = 10_000;

/** The keys that callers repeat with a call: hosted checkout, subscriptions and POS; QR codes; wallets. */
const NATURAL_KEYS = ['developer_tracking_id', 'operation_uuid', 'tracking_id'] as const;

export interface MatchingCall {
  readonly operation: SimOperation;
  readonly call: SimRequest;
  readonly magic: MagicCall;
}

/**
 * Whether a magic amount strikes this call: the first one of its operation, amount and natural key, and every one that
 * has no natural key. So a caller who repeats a call that failed sees the repeat succeed.
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
