import { millimes } from '../../../../src/kernel';
import type { Payment, PaymentDetails } from '../../../../src/payments';

type Observation = PaymentDetails['observations'][number];
type Operation = PaymentDetails['operations'][number];

const NINE_O_CLOCK = Date.UTC(2026, 2, 2, 8);

export function aPayment(fields: Partial<Payment> = {}): Payment {
  return {
    trackingId: '01KJQ3Z4000000000000000001',
    kind: 'standard',
    reference: undefined,
    isLive: false,
    agentId: undefined,
    amount: millimes(5_000),
    ourShare: millimes(5_000),
    terms: {},
    isTest: false,
    requestState: 'made',
    requestError: undefined,
    requestedAt: NINE_O_CLOCK,
    sentAt: NINE_O_CLOCK,
    gatewayId: 'pay_1',
    link: undefined,
    sessionEndsAt: undefined,
    status: undefined,
    settlementStatus: undefined,
    method: undefined,
    captured: undefined,
    succeededAfter: undefined,
    succeededUntil: undefined,
    itemId: undefined,
    nextLookAt: undefined,
    nudgedAt: undefined,
    lastLookAt: undefined,
    looks: 0,
    failedLooks: 0,
    lastLookError: undefined,
    recordedBy: 'cli',
    ...fields,
  };
}

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
