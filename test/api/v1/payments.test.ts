import { beforeEach, describe, expect, test } from '@jest/globals';
import { millimes } from '../../../src/kernel';
import { payPayment, SEEDED_WALLETS } from '../../../src/simulator/testing';
import { aDue, anAgent, assess, BY_TEST, register } from '../../support/factories';
import { describeApi } from '../support/api';
import { type ApiClient, apiClient } from './support/api-client';
import { aCreatedPayment, aPaidPayment, aPaymentPlan } from './support/scenarios/payments';

// Goal: a client of the API collects money with the answers alone: every outcome has its status, and the figures are
// those of the use cases.
// Method: the server with a simulated gateway, whose customers pay and whose faults are ordered.

const ORDER = { amountMillimes: 12_500, reference: 'ORDER-1', acceptCard: true };
const REFUSAL = { kind: 'status', code: 403, body: { result: { status: 403, message: 'No' } }, processed: false };
const INVALID = {
  kind: 'status',
  code: 400,
  body: { result: { status: 400, message: 'Bad' }, code: 1 },
  processed: false,
};
const [, { phoneNumber, trackingId: walletId }] = SEEDED_WALLETS;
const WALLET_PAYMENT = { phoneNumber, trackingId: walletId, amountMillimes: 7_000, product: 'P1' };

describeApi(
  'the operations on payments',
  (current) => {
    let client: ApiClient;
    beforeEach(async () => {
      client = await apiClient(current.api);
    });

    /** Orders a fault for the next call of an operation of the gateway. */
    async function orderFault(operation: string, fault: unknown): Promise<void> {
      const order = { method: 'POST', body: JSON.stringify({ operation, fault }) };
      expect((await fetch(`${current.api.gateway.baseUrl}/_simulator/faults`, order)).status).toBe(200);
    }

    describe('createPayment', () => {
      test('answers 201 with the place of a new payment, and 200 for its reference', async () => {
        const first = await client.call('createPayment', { body: ORDER });
        const { trackingId } = first.body.payment;
        expect(first).toMatchObject({
          status: 201,
          body: { kind: 'created', payment: { requestState: 'made', isLive: true, ...shownOf(ORDER) } },
        });
        expect(first.headers.location).toBe(`/api/v1/payments/${trackingId}`);
        const second = await client.call('createPayment', { body: ORDER });
        expect(second).toMatchObject({ status: 200, body: { kind: 'existing', payment: { trackingId } } });
      });

      test('answers 202 while the outcome is unknown, and a repeat gets the same answer', async () => {
        await orderFault('payments.create', { kind: 'html_502', processed: true });
        const call = { body: ORDER, idempotencyKey: 'k' };
        const { status, body } = await client.call('createPayment', call);
        expect([status, body.kind, body.payment.requestState]).toEqual([202, 'unknown', 'unknown']);
        const again = await client.call('createPayment', call);
        expect([again.status, again.body, again.headers['idempotency-replayed']]).toEqual([202, body, 'true']);
      });

      test('answers gateway_refused with the stored attempt, and a repeat makes another one', async () => {
        await orderFault('payments.create', INVALID);
        const call = { body: ORDER, idempotencyKey: 'k' };
        const problem = await client.problem('createPayment', call);
        expect(problem).toMatchObject({ code: 'gateway_refused', status: 422 });
        const refused = await client.done('showPayment', { params: { id: problem.params.trackingId } });
        expect(refused).toMatchObject({ requestState: 'refused', progress: { code: 'refused' } });
        const again = await client.call('createPayment', call);
        expect(again).toMatchObject({ status: 201, body: { payment: { reference: 'ORDER-1', isLive: true } } });
        expect(again.body.payment.trackingId).not.toBe(problem.params.trackingId);
      });

      test('answers reference_live for other terms, and names each fault of the input', async () => {
        await client.done('createPayment', { body: ORDER });
        const other = await client.problem('createPayment', { body: { ...ORDER, amountMillimes: 1 } });
        expect(other).toMatchObject({ code: 'reference_live', params: { reference: 'ORDER-1' } });
        const faulty = { kind: 'split', amountMillimes: 10, successLink: 'ftp://x' };
        const problem = await client.problem('createPayment', { body: faulty });
        expect(problem).toMatchObject({ code: 'request_faults', errors: expect.any(Array) });
        const unknown = await client.problem('createPayment', {
          body: { ...ORDER, reference: 'R', agentId: 'nobody' },
        });
        expect(unknown).toMatchObject({ code: 'bad_input', params: { field: 'agentId' } });
      });
    });

    describe('showPayment', () => {
      test('finds a payment by every id, and answers the place of its money in codes', async () => {
        const paid = await aPaidPayment(current.api);
        const shown = await client.done('showPayment', { params: { id: paid.trackingId } });
        expect(shown).toMatchObject({
          source: 'attempt',
          progress: { code: 'paid' },
          money: { state: 'expected', bankedOn: null, refundedMillimes: 0, breakIds: [] },
          observations: [{ source: 'verify', status: 'SUCCESS' }],
          operations: [],
        });
        for (const id of [paid.gatewayId ?? '', paid.itemId ?? '', paid.trackingId.slice(0, -4)]) {
          expect(await client.done('showPayment', { params: { id } })).toEqual(shown);
        }
        const missing = await client.problem('showPayment', { params: { id: 'nothing' } });
        expect(missing).toMatchObject({ code: 'not_found' });
      });

      test('answers a confirm of an agent', async () => {
        await register(current.api.millime, anAgent());
        await assess(current.api.millime, aDue({ amount: millimes(5_000) }));
        await current.api.confirmCode({ transactionId: 'TX-1', agentId: '004711', amount: 2_000 });
        const shown = await client.done('showPayment', { params: { id: 'service:TX-1' } });
        expect(shown).toMatchObject({
          ...{ source: 'confirm', id: 'TX-1', kind: 'agent', amountMillimes: 2_000, terms: null },
          money: { state: 'expected', confirmedAt: expect.any(String) },
        });
      });

      test('hides the phone number and the wallet of the customer', async () => {
        const made = await client.done('payFromWallet', { body: WALLET_PAYMENT });
        const shown = await client.done('showPayment', { params: { id: made.payment.trackingId } });
        expect(shown.terms).toEqual({ amountMillimes: 7_000, product: 'P1' });
        expect(JSON.stringify([made, shown])).not.toMatch(new RegExp(`${phoneNumber}|${walletId}`));
      });
    });

    describe('listPayments', () => {
      const idsOf = async (query: Record<string, string | number> = {}): Promise<string[]> =>
        (await client.done('listPayments', { query })).data.map(({ id }: { id: string }) => id);

      test('filters by what a payment is and by where its money is', async () => {
        await register(current.api.millime, anAgent());
        await current.api.confirmCode({ transactionId: 'TX-1', agentId: '004711', amount: 2_000 });
        const open = await aCreatedPayment(current.api, { reference: 'ORDER-1' });
        const paid = await aPaidPayment(current.api);
        expect((await idsOf()).toSorted()).toEqual([open.trackingId, paid.trackingId, 'TX-1'].toSorted());
        expect(await idsOf({ agentId: '004711' })).toEqual(['TX-1']);
        expect(await idsOf({ channel: 'agent' })).toEqual(['TX-1']);
        expect(await idsOf({ reference: 'ORDER-1' })).toEqual([open.trackingId]);
        expect(await idsOf({ state: 'none' })).toEqual([open.trackingId]);
        expect((await idsOf({ state: 'expected' })).toSorted()).toEqual([paid.trackingId, 'TX-1'].toSorted());
        expect(await idsOf({ status: 'SUCCESS', requestState: 'made' })).toEqual([paid.trackingId]);
        expect(await idsOf({ from: '2026-03-03' })).toEqual([]);
        expect(await idsOf({ to: '2026-03-01' })).toEqual([]);
        expect(await idsOf({ amountMillimes: 2_000 })).toEqual(['TX-1']);
        expect(await idsOf({ amountMillimes: 2_000, to: '2026-03-01' })).toEqual([]);
      });
    });

    describe('the operations that move money', () => {
      const dueOf = async () => (await client.done('showAgent', { params: { agentId: '004711' } })).dueMillimes;

      test('refund a payment once, which a second request cannot repeat', async () => {
        const { trackingId: id } = await aPaidPayment(current.api);
        const checked = await client.done('refundPayment', { params: { id }, query: { dryRun: true } });
        expect(checked).toMatchObject({ kind: 'checked', dryRun: true, operation: null });
        const done = await client.done('refundPayment', { params: { id } });
        expect(done).toMatchObject({ kind: 'done', operation: { kind: 'refund', amountMillimes: 12_500 } });
        expect(await client.problem('refundPayment', { params: { id } })).toMatchObject({
          code: 'operation_not_possible',
          status: 409,
        });
        const shown = await client.done('showPayment', { params: { id } });
        expect(shown.money).toMatchObject({ state: 'refunded', refundedMillimes: 12_500 });
      });

      test('answer 202 for an unknown outcome and gateway_refused for a refusal', async () => {
        const held = await aPaidPayment(current.api, 'preauthorization');
        await orderFault('payments.capture', { kind: 'html_502', processed: false });
        const captured = await client.call('capturePayment', {
          params: { id: held.trackingId },
          body: { amountMillimes: 5_000 },
        });
        expect([captured.status, captured.body.kind]).toEqual([202, 'unknown']);
        const paid = await aPaidPayment(current.api);
        await orderFault('payments.refund', REFUSAL);
        expect(await client.problem('refundPayment', { params: { id: paid.trackingId } })).toMatchObject({
          code: 'gateway_refused',
          params: { trackingId: paid.trackingId },
        });
      });

      test('need the scope payments:refund', async () => {
        const { trackingId: id } = await aPaidPayment(current.api);
        const clerk = await apiClient(current.api, { name: 'omar', scopes: ['payments:read', 'payments:write'] });
        for (const operation of ['capturePayment', 'cancelPayment', 'refundPayment', 'payFromWallet']) {
          const params = operation === 'payFromWallet' ? {} : { id };
          const body = operation === 'payFromWallet' ? WALLET_PAYMENT : {};
          expect(await clerk.problem(operation, { params, body })).toMatchObject({ code: 'missing_scope' });
        }
      });

      test('lower the due of the agent that a payment names, once it is verified', async () => {
        await register(current.api.millime, anAgent());
        await assess(current.api.millime, aDue({ amount: millimes(150_000) }));
        const made = await client.done('createPayment', { body: { ...ORDER, agentId: '004711' } });
        payPayment(current.api.gateway.simulator.simulation, made.payment.gatewayId);
        const verified = await client.done('verifyPayment', { params: { id: 'ORDER-1' } });
        expect(verified).toMatchObject({ kind: 'looked', progress: { code: 'paid' }, retryAfterMs: null });
        expect(await dueOf()).toBe(137_500);
      });
    });

    describe('importPaymentPlan', () => {
      test('queues new references and counts known ones', async () => {
        const body = aPaymentPlan('ORDER-1', 'ORDER-2');
        expect(await client.done('importPaymentPlan', { body })).toEqual({ added: 2, unchanged: 0, dryRun: false });
        expect(await client.done('importPaymentPlan', { body })).toEqual({ added: 0, unchanged: 2, dryRun: false });
      });

      test('answers file_faults with a line per fault', async () => {
        const body = Buffer.from(String(aPaymentPlan('ORDER-1')).replace('12500', 'much'));
        const problem = await client.problem('importPaymentPlan', { body });
        expect(problem).toMatchObject({ code: 'file_faults', errors: [{ detail: expect.stringContaining('line 2') }] });
      });
    });

    describe('the calls about wallets', () => {
      test('answer what the gateway says, and record who asked', async () => {
        const account = { phoneNumber, trackingId: walletId };
        const before = await client.done('readWalletBalance', { body: account });
        await client.done('payFromWallet', { body: WALLET_PAYMENT });
        const after = await client.done('readWalletBalance', { body: account });
        expect(after.balanceMillimes).toBe(before.balanceMillimes - 7_000);
        const { rows } = await current.api.millime.identity.auditRecords({ action: 'wallet.balance_read', limit: 1 });
        expect(rows[0]).toMatchObject({ actorName: 'salma', keyId: client.keyId, requestId: expect.any(String) });
      });

      test('refuse a period that ends before it begins', async () => {
        const days = { from: '2026-03-03', to: '2026-03-01' };
        const history = { phoneNumber, trackingId: walletId, ...days };
        const answers = [
          await client.problem('readWalletHistory', { body: history }),
          await client.problem('listQrPurchases', { query: days }),
        ];
        for (const answer of answers) expect(answer).toMatchObject({ code: 'bad_input', params: { field: 'from' } });
      });
    });

    test('lists the purchases of a QR code of the merchant', async () => {
      const purchases = async (): Promise<number> =>
        (await client.done('listQrPurchases', { query: PERIOD })).purchases.length;
      const PERIOD = { from: '2026-03-02', to: '2026-03-02' };
      const before = await purchases();
      const code = await current.api.millime.paymentChannels.createQr({ amountMillimes: 700, barcode: true }, BY_TEST);
      if (code.kind !== 'created') throw new Error(`the code ended ${code.kind}`);
      const paid = await fetch(`${current.api.gateway.baseUrl}/_simulator/qr/${code.payment.gatewayId}/pay`, {
        method: 'POST',
        body: JSON.stringify({ times: 2 }),
      });
      expect([paid.status, await purchases()]).toEqual([200, before + 2]);
    });
  },
  { hasGateway: true },
);

describeApi('the operations on payments without a gateway', (current) => {
  test('answer gateway_off and store nothing', async () => {
    const client = await apiClient(current.api);
    const calls = [
      ['createPayment', { body: ORDER }],
      ['createSubscription', { body: { amountMillimes: 30_000, interval: 'month', name: 'Gold' } }],
      ['readWalletBalance', { body: { phoneNumber, trackingId: walletId } }],
      ['listQrPurchases', { query: { from: '2026-03-01', to: '2026-03-02' } }],
    ] as const;
    for (const [operation, call] of calls) {
      expect(await client.problem(operation, call)).toMatchObject({ code: 'gateway_off', status: 409 });
    }
    expect((await client.done('listPayments')).data).toEqual([]);
  });
});

/** Returns the fields of a request that its payment repeats. */
function shownOf({ amountMillimes, reference }: typeof ORDER): Readonly<Record<string, unknown>> {
  return { amountMillimes, reference };
}
