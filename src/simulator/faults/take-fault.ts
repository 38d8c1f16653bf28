import { MINUTE_MS } from '../../kernel';
import { refuseBanned } from '../checkout/verify-limit';
import { type MagicCall, magicCallOf } from '../core/magic-amounts';
import type { SimOperation, SimRequest } from '../core/operation';
import { amountOf, bodyField } from '../core/requests';
import type { Simulation } from '../core/simulation';
import { type CallFault, isProcessed } from './call-fault';
import type { StandingFaultOrder } from './fault-state';
import { isFirstMatchingCall } from './first-matching-call';
import { pathFits, pathOfCall } from './path-pattern';

const MAGIC_FAULTS: Readonly<Record<MagicCall, CallFault>> = {
  error_before: { kind: 'status', code: 500, body: { detail: 'Internal Server Error' }, headers: {}, processed: false },
  cut_after: { kind: 'reset_after' },
  bad_gateway_after: { kind: 'html_502', processed: true },
  too_many: { kind: 'too_many', retryAfterSecs: 60 },
  drip: { kind: 'drip', bytesPerSecond: 10 },
  garbage: { kind: 'garbage', processed: true },
  delay: { kind: 'delay', ms: 10_000 },
};

/**
 * Returns the fault of this call, if any, and counts its order as used. A ban precedes everything, then the first
 * matching order, then the magic amount, which affects only the first call of one key.
 */
export function takeFault(simulation: Simulation, operation: SimOperation, call: SimRequest): CallFault | undefined {
  if (refuseBanned(simulation) !== undefined) return undefined;
  const fault = takeOrdered(simulation, operation, call) ?? magicFaultOf(simulation, operation, call);
  if (fault === undefined) return undefined;
  simulation.record('fault', { operation: operation.name, fault: fault.kind, processed: isProcessed(fault) });
  if (fault.kind === 'ban') ban(simulation, fault.minutes);
  return fault;
}

/** Bans callers as too many calls of Verify Payment do. */
function ban({ world: { checkout }, now }: Simulation, minutes: number): void {
  checkout.verifyCalls = { ...checkout.verifyCalls, bannedUntil: now() + minutes * MINUTE_MS };
}

/** Takes the first due order that matches the call. Every matching order counts the calls that it lets pass. */
function takeOrdered({ world }: Simulation, operation: SimOperation, call: SimRequest): CallFault | undefined {
  const { faults } = world;
  const paths = [operation.path, pathOfCall(operation.path, call.params)];
  const used = faults.orders.find((order) => order.afterCalls === 0 && fits(order, operation, paths));
  faults.orders = faults.orders.flatMap((order) => {
    if (order === used) return order.times > 1 ? [{ ...order, times: order.times - 1 }] : [];
    if (order.afterCalls === 0 || !fits(order, operation, paths)) return [order];
    return [{ ...order, afterCalls: order.afterCalls - 1 }];
  });
  return used?.fault;
}

/** Returns whether an order matches a call. `paths`: the operation's pattern, and the path of the call. */
function fits(
  { operation: name, method, path }: StandingFaultOrder,
  operation: SimOperation,
  paths: readonly string[],
): boolean {
  return (
    (name === '*' || name === operation.name) &&
    (method === undefined || method === operation.method) &&
    (path === undefined || paths.some((one) => pathFits(path, one)))
  );
}

function magicFaultOf(simulation: Simulation, operation: SimOperation, call: SimRequest): CallFault | undefined {
  const given = ['amount', 'amount_in_millimes'].map((name) => bodyField(call, name) ?? call.query.get(name));
  const magic = given.map((value) => magicCallOf(amountOf(value))).find((name) => name !== undefined);
  return magic !== undefined && isFirstMatchingCall(simulation, { operation, call, magic })
    ? MAGIC_FAULTS[magic]
    : undefined;
}
