import type { Payment } from '../../../../../src/payments';
import { payPayment } from '../../../../../src/simulator/testing';
import { anAgent, BY_TEST, register } from '../../../../support/factories';
import type { Api } from '../../../support/api';
import { audited, type Scenarios } from './scenario';

const AMOUNT = 12_500;

/** Creates a payment that the simulated gateway has. */
export async function aCreatedPayment(
  { millime }: Api,
  request: { readonly kind?: 'standard' | 'preauthorization'; readonly reference?: string } = {},
): Promise<Payment & { readonly gatewayId: string }> {
  const outcome = await millime.payments.create(
    { kind: 'standard', amountMillimes: AMOUNT, acceptCard: true, ...request },
    BY_TEST,
  );
  if (outcome.kind !== 'created') throw new Error(`the payment ended ${outcome.kind}`);
  const { gatewayId = '' } = outcome.payment;
  return { ...outcome.payment, gatewayId };
}

/** Creates a payment that the customer paid, and whose status was checked. */
export async function aPaidPayment(api: Api, kind: 'standard' | 'preauthorization' = 'standard'): Promise<Payment> {
  const { gatewayId, trackingId } = await aCreatedPayment(api, { kind });
  payPayment(api.gateway.simulator.simulation, gatewayId);
  await api.millime.payments.checkStatus(trackingId);
  return (await api.millime.payments.show(trackingId)).payment;
}

const PLAN_COLUMNS =
  'reference,amount_millimes,kind,agent_id,client_id,accept_card,session_timeout_secs,success_link,fail_link';

/** A plan of standard payments. */
export const aPaymentPlan = (...references: readonly string[]): Buffer =>
  Buffer.from([PLAN_COLUMNS, ...references.map((each) => `${each},${AMOUNT},,,,,,,`), ''].join('\n'));

const terminal = { idTerminal: 'T-1', serialNumber: 'S-1', amountMillimes: AMOUNT, paymentMethod: 'CARD' };

async function operated(api: Api, kind: 'standard' | 'preauthorization', operation: string) {
  const { trackingId } = await aPaidPayment(api, kind);
  return {
    call: { params: { id: trackingId }, ...(operation === 'capture' ? { body: {} } : {}) },
    other: { params: { id: 'another' }, ...(operation === 'capture' ? { body: {} } : {}) },
    effect: () => audited(api, `payment.${operation}_requested`),
  };
}

export const PAYMENT_SCENARIOS: Scenarios = {
  async listPayments(api) {
    await register(api.millime, anAgent());
    await api.confirmCode({ transactionId: 'TX-1', agentId: '004711', amount: 2_000 });
    await aCreatedPayment(api);
    await aPaidPayment(api);
    return { call: { query: { from: '2026-03-01', to: '2026-03-02' } } };
  },
  async showPayment(api) {
    const { trackingId } = await aPaidPayment(api);
    return { call: { params: { id: trackingId } } };
  },
  async listPaymentTimeline(api) {
    const { trackingId } = await aPaidPayment(api);
    return { call: { params: { id: trackingId } } };
  },
  async createPayment(api) {
    return {
      call: { body: { amountMillimes: AMOUNT, acceptCard: true } },
      other: { body: { amountMillimes: AMOUNT, acceptCard: false } },
      effect: () => audited(api, 'payment.requested'),
    };
  },
  async startPosPayment(api) {
    return {
      call: { body: terminal },
      other: { body: { ...terminal, idTerminal: 'T-2' } },
      effect: () => audited(api, 'payment.sent'),
    };
  },
  async createQrCode(api) {
    return {
      call: { body: { amountMillimes: AMOUNT, barcode: true } },
      other: { body: { amountMillimes: AMOUNT } },
      effect: () => audited(api, 'payment.sent'),
    };
  },
  async importPaymentPlan(api) {
    return {
      call: { body: aPaymentPlan('ORDER-1', 'ORDER-2') },
      other: { body: aPaymentPlan('ORDER-3') },
      effect: () => audited(api, 'payments.planned'),
    };
  },
  async verifyPayment(api) {
    const { trackingId } = await aCreatedPayment(api);
    return {
      call: { params: { id: trackingId } },
      other: { params: { id: 'another' } },
      effect: async () => (await api.millime.payments.show(trackingId)).payment.checks,
    };
  },
  capturePayment: (api) => operated(api, 'preauthorization', 'capture'),
  cancelPayment: (api) => operated(api, 'preauthorization', 'cancel'),
  refundPayment: (api) => operated(api, 'standard', 'refund'),
};
