import { requireGateway } from '../../attempts';
import { openBreakStore } from '../../breaks';
import {
  type GatewayClient,
  GatewayError,
  isGatewayError,
  type PosStatusQuery,
  type PosTransaction,
} from '../../gateway';
import { isOutsideId, isUuid } from '../../kernel';
import {
  applyStatusCheck,
  NOT_LISTED,
  openPaymentStore,
  type Payment,
  type PaymentObservation,
  type PaymentsDeps,
  recordFailedCheck,
  type StatusCheckOutcome,
} from '../../payments';
import { decidePos } from './decide-pos';
import { choosePosRow, type PosChoice } from './pos-status';

/**
 * Asks for the status of a POS transaction (interface section 4.4) and applies it: by the gateway's id once it is
 * known, before that by our unique tracking id, which also settles a start whose outcome is unknown (open points 73 and
 * 129).
 */
export async function checkPosStatus(deps: PaymentsDeps, payment: Payment): Promise<StatusCheckOutcome> {
  const gateway = requireGateway(deps);
  const { requestState, trackingId } = payment;
  if (requestState !== 'made' && requestState !== 'unknown') return { kind: 'nothing_to_ask', payment };
  // Before the call: what happens while it is in transit is left for the next status check.
  const observedAt = deps.clock.now();
  let choice: PosChoice;
  try {
    choice = choosePosRow(payment, await rowsOf(gateway, payment));
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return recordFailedCheck(deps, payment, error);
  }
  const observation = toObservation(trackingId, observedAt, choice);
  const applied = await applyStatusCheck(
    deps,
    { observation, eventsCoveredUntil: observedAt },
    async (facts, session) => {
      const observations = await openPaymentStore(session).observations(trackingId);
      const fingerprint = `outcome_unknown:${trackingId}`;
      const unknownOutcome = (await openBreakStore(session).byFingerprint([fingerprint])).get(fingerprint);
      return decidePos(deps, { ...facts, observedAt, observations, unknownOutcome }, choice);
    },
  );
  return { kind: 'looked', payment: applied.payment };
}

async function rowsOf(gateway: GatewayClient, payment: Payment): Promise<readonly PosTransaction[]> {
  try {
    const rows = await gateway.pos.status(queryOf(payment));
    if (rows.every(({ serviceTransactionId }) => isOutsideId(serviceTransactionId))) return rows;
  } catch (error) {
    // The interface shows no errors of this operation; nothing found is an empty list or this.
    if (isGatewayError(error, 'not_found')) return [];
    throw error;
  }
  const operation = 'pos.status';
  throw new GatewayError('unexpected_shape', 'the id of a POS transaction cannot be stored', { operation });
}

function queryOf({ gatewayId, trackingId, terms }: Payment): PosStatusQuery {
  if (gatewayId !== undefined && isUuid(gatewayId)) return { serviceTransactionId: gatewayId };
  const { idTerminal } = terms;
  return { developerTrackingId: trackingId, ...(typeof idTerminal === 'string' ? { idTerminal } : {}) };
}

function toObservation(trackingId: string, observedAt: number, choice: PosChoice): PaymentObservation {
  const common = { trackingId, source: 'pos_status', observedAt } as const;
  if (choice.kind !== 'one') {
    const rows = choice.kind === 'none' ? [] : choice.rows.map(({ raw }) => raw);
    const nothing = { settlementStatus: undefined, method: undefined, amount: undefined };
    return { ...common, status: NOT_LISTED, ...nothing, detail: JSON.stringify(rows) };
  }
  const { paymentStatus, settlementStatus, paymentMethod, amountMillimes, raw } = choice.row;
  return {
    ...common,
    status: paymentStatus,
    settlementStatus,
    method: paymentMethod ?? undefined,
    amount: amountMillimes,
    detail: JSON.stringify(raw),
  };
}
