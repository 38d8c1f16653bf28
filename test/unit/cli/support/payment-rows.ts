import type { Payment, PaymentDetails } from '../../../../src/payments';
import type { FoundPayment } from '../../../../src/reporting';

type Observation = PaymentDetails['observations'][number];
type Operation = PaymentDetails['operations'][number];

const NINE_O_CLOCK = Date.UTC(2026, 2, 2, 8);

export function anObservation(fields: Partial<Observation> = {}): Observation {
  return {
    trackingId: '01KJQ3Z4000000000000000001',
    source: 'verify',
    observedAt: NINE_O_CLOCK,
    status: 'SUCCESS',
    settlementStatus: undefined,
    method: undefined,
    amount: undefined,
    detail: '',
    ...fields,
  };
}

export function anOperation(fields: Partial<Operation> = {}): Operation {
  return {
    id: '01KJQ3Z4000000000000000002',
    trackingId: '01KJQ3Z4000000000000000001',
    kind: 'refund',
    state: 'done',
    amount: undefined,
    refundId: undefined,
    error: undefined,
    requestedAt: NINE_O_CLOCK,
    endedAt: undefined,
    nextCheckAt: undefined,
    checks: 0,
    requestedBy: 'cli',
    ...fields,
  };
}

/** An attempt as the list of all channels has it. */
export function aFoundPayment(
  { trackingId, requestedAt, amount, reference, agentId, requestState, status, itemId }: Payment,
  fields: Partial<FoundPayment> = {},
): FoundPayment {
  const named = { reference, agentId, trackingId, requestState, status, itemId };
  const row = { source: 'attempt', id: trackingId, at: requestedAt, channel: undefined, amount, ...named } as const;
  return { ...row, money: undefined, ...fields };
}
