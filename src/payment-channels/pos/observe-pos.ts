import { openBreakStore } from '../../breaks';
import {
  type GatewayClient,
  GatewayError,
  isGatewayError,
  type PosStatusQuery,
  type PosTransaction,
} from '../../gateway';
import { isOutsideId, isUuid } from '../../kernel';
import type { ChannelAnswer, ChannelQuestion, Payment } from '../../payments';
import { NOT_LISTED } from '../payment-channels';
import { decidePos } from './decide-pos';
import { choosePosRow, type PosChoice } from './pos-status';

type Observation = Extract<ChannelAnswer, { kind: 'answered' }>['observation'];

/**
 * Asks for the status of a POS transaction (interface section 4.4), by the gateway's id if it is known, otherwise by
 * Millime's tracking id. The latter also resolves a start of unknown outcome (open points 73 and 129).
 */
export async function observePos({ gateway, payment }: ChannelQuestion): Promise<ChannelAnswer> {
  const choice = choosePosRow(payment, await rowsOf(gateway, payment));
  return {
    kind: 'answered',
    observation: toObservation(choice),
    async decide(facts, { session, observations }) {
      const fingerprint = `outcome_unknown:${payment.trackingId}`;
      const unknownOutcome = (await openBreakStore(session).byFingerprint([fingerprint])).get(fingerprint);
      return decidePos({ ...facts, observations: await observations(), unknownOutcome }, choice);
    },
  };
}

async function rowsOf(gateway: GatewayClient, payment: Payment): Promise<readonly PosTransaction[]> {
  try {
    const rows = await gateway.pos.status(queryOf(payment));
    if (rows.every(({ serviceTransactionId }) => isOutsideId(serviceTransactionId))) return rows;
  } catch (error) {
    // The interface shows no errors of this operation; an unknown transaction gets an empty list or this error.
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

function toObservation(choice: PosChoice): Observation {
  const source = 'pos_status';
  if (choice.kind !== 'one') {
    const rows = choice.kind === 'none' ? [] : choice.rows.map(({ raw }) => raw);
    const nothing = { settlementStatus: undefined, method: undefined, amount: undefined };
    return { source, status: NOT_LISTED, ...nothing, detail: JSON.stringify(rows) };
  }
  const { paymentStatus, settlementStatus, paymentMethod, amountMillimes, raw } = choice.row;
  return {
    source,
    status: paymentStatus,
    settlementStatus,
    method: paymentMethod ?? undefined,
    amount: amountMillimes,
    detail: JSON.stringify(raw),
  };
}
