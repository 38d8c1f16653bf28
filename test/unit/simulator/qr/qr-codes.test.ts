import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../../src/kernel';
import { payQr, type PayQrOptions } from '../../../../src/simulator/qr/pay-qr';
import type { SimAnswer, Simulator } from '../../../../src/simulator/testing';
import { answerTo, aSimulator, passTime } from '../../../support/a-simulator';

// Goal: one operation uuid is one code, a code may be paid more than once, and each payment is owed once, immediately.
// Method: the operations without HTTP; the control function and the clock in place of customers.

const GENERATE = 'GET /api/business/generate_custom_qr_code';
const VERIFY = 'GET /api/business/custom_transaction/status';
const HISTORY = 'GET /api/business/custom_transactions/history';
const UUID = 'c0000000-0000-4000-8000-00000000000a';
const GOOD = { amount_in_millimes: '3500', merchant_id: '1234', operation_uuid: UUID };

type Query = Readonly<Record<string, string>>;

function generate(simulator: Simulator, query: Query = GOOD): SimAnswer {
  return answerTo(simulator, GENERATE, { query });
}

interface Row {
  readonly transaction_unique_id: string;
  readonly amount: number;
  readonly channel: string;
}

function paymentsOf(simulator: Simulator, operationUuid = UUID): readonly Row[] {
  const { body } = answerTo(simulator, VERIFY, { query: { operation_uuid: operationUuid } });
  return (body as { readonly transactions: readonly Row[] }).transactions;
}

function historyOf(simulator: Simulator, query: Query): readonly string[] {
  const { body } = answerTo(simulator, HISTORY, { query });
  return (body as { readonly result: readonly Row[] }).result.map((row) => row.transaction_unique_id);
}

const without = (name: keyof typeof GOOD): Query =>
  Object.fromEntries(Object.entries(GOOD).filter(([other]) => other !== name));

describe('A new QR code', () => {
  test('is the same for the same uuid in upper or lower case', () => {
    const simulator = aSimulator();
    const first = generate(simulator);

    expect(first).toMatchObject({ status: 200, body: { success: true, code: 200, operation_uuid: UUID } });
    expect(generate(simulator, { ...GOOD, operation_uuid: UUID.toUpperCase() })).toEqual(first);
    expect(Object.keys(simulator.simulation.world.qr.codes)).toHaveLength(1);
  });

  test.each([
    ['amount', { amount_in_millimes: '3501' }],
    ['merchant', { merchant_id: '1235' }],
  ])('refuses a uuid that stands for another %s, and keeps the first', (_name, other) => {
    const simulator = aSimulator();
    generate(simulator);

    expect(generate(simulator, { ...GOOD, ...other })).toMatchObject({
      status: 400,
      body: { success: false, code: 400 },
    });
    payQr(simulator.simulation, UUID);
    expect(paymentsOf(simulator)).toMatchObject([{ amount: 3_500 }]);
  });

  test('has a new uuid each time if none is given', () => {
    const simulator = aSimulator();

    const uuids = [1, 2].map(
      () => (generate(simulator, without('operation_uuid')).body as { readonly operation_uuid: string }).operation_uuid,
    );

    expect(new Set(uuids).size).toBe(2);
    expect(paymentsOf(simulator, uuids[0])).toEqual([]);
  });

  test('has a slug with barcode=true', () => {
    const simulator = aSimulator();
    const codes = ['true', 'false'].map(
      (barcode) => (generate(simulator, { ...GOOD, barcode }).body as { readonly qr_code: string }).qr_code,
    );

    expect(codes[0]).toMatch(/^qr-[0-9a-f]{12}$/);
    expect(codes[1]).not.toBe(codes[0]);
  });

  test.each(['3500.0', '3500.000'])(
    'accepts %s for 3500, because the interface types the amount "decimal"',
    (amount) => {
      const simulator = aSimulator();
      generate(simulator);

      expect(generate(simulator, { ...GOOD, amount_in_millimes: amount }).status).toBe(200);
    },
  );

  test('accepts the amount under the name of the sample request', () => {
    const simulator = aSimulator();

    expect(generate(simulator, { ...without('amount_in_millimes'), amount: '3500' }).status).toBe(200);
    expect(simulator.simulation.world.qr.codes[UUID]?.amountMillimes).toBe(3_500);
  });

  test.each([
    ['amount_in_millimes', 'amount_in_millimes is required'],
    ['merchant_id', 'merchant_id is required'],
  ] as const)('names the missing %s', (name, message) => {
    expect(generate(aSimulator(), without(name))).toEqual({
      status: 400,
      body: { success: false, code: 400, message },
    });
  });

  test.each([
    { amount_in_millimes: '0' },
    { amount_in_millimes: '-1' },
    { amount_in_millimes: '3500.5' },
    { amount_in_millimes: '1e3' },
    { merchant_id: 'abc' },
    { merchant_id: '-1' },
    { operation_uuid: 'mine' },
    { barcode: 'yes' },
  ])('refuses %j', (other) => {
    expect(generate(aSimulator(), { ...GOOD, ...other })).toMatchObject({ status: 400, body: { code: 400 } });
  });

  test.each([
    ['0', 404],
    ['1', 200],
    ['999999', 200],
    ['1000000', 404],
  ])('answers merchant %s with %i', (merchantId, status) => {
    expect(generate(aSimulator(), { ...GOOD, merchant_id: merchantId }).status).toBe(status);
  });

  test('is refused for an unknown merchant with the error of the interface', () => {
    const body = { success: false, code: 404, message: 'precondition fails, code 3' };

    expect(generate(aSimulator(), { ...GOOD, merchant_id: '0' })).toEqual({ status: 404, body });
    expect(answerTo(aSimulator(), HISTORY, { query: { merchant_id: '0' } })).toEqual({ status: 404, body });
  });
});

describe('A payment of a QR code', () => {
  test.each([
    [true, []],
    [false, [3_500]],
  ])('that was made while isTest was %p owes %j, whatever the setting says later', (isTest, amounts) => {
    const simulator = aSimulator({ settings: { isTest } });
    generate(simulator);
    simulator.changeSettings({ isTest: !isTest });
    payQr(simulator.simulation, UUID);

    const { earned, qr } = simulator.simulation.world;
    expect(earned.map(({ amountMillimes }) => amountMillimes)).toEqual(amounts);
    expect(qr.payments).toMatchObject([{ isTest }]);
  });

  test('may be repeated; all payments are shown, and each is owed immediately', () => {
    const simulator = aSimulator();
    generate(simulator);

    const ids = payQr(simulator.simulation, UUID.toUpperCase(), { times: 3, channel: 'other_wallet' });

    expect(paymentsOf(simulator).map((row) => row.transaction_unique_id)).toEqual(ids);
    expect(new Set(ids).size).toBe(3);
    expect(paymentsOf(simulator)[0]).toMatchObject({
      time: '2026-03-02T09:00:00.000+01:00',
      amount: 3_500,
      channel: 'other_wallet',
    });
    const now = simulator.simulation.now();
    expect(simulator.simulation.world.payoutBook.open).toEqual(
      ids.map((id) => ({
        itemId: `payment:${id}`,
        channel: 'qr',
        amountMillimes: 3_500,
        succeededAt: now,
        availableAt: now,
      })),
    );
  });

  test.each<[string, string, PayQrOptions, string]>([
    ['an unknown code', '__proto__', {}, 'not_found'],
    ['no time at all', UUID, { times: 0 }, 'bad_input'],
    ['half a time', UUID, { times: 0.5 }, 'bad_input'],
    ['too often', UUID, { times: 1_001 }, 'bad_input'],
  ])('is refused for %s', (_name, uuid, options, code) => {
    const simulator = aSimulator();
    generate(simulator);

    let fault: unknown;
    try {
      payQr(simulator.simulation, uuid, options);
    } catch (error) {
      fault = error;
    }

    expect(isAppError(fault) ? fault.code : fault).toBe(code);
    expect(paymentsOf(simulator)).toEqual([]);
  });
});

describe('An automatic customer of a QR code', () => {
  const AUTO = { payer: { mode: 'auto', failurePpm: 0, abandonPpm: 0, mobilePpm: 0 } };

  test('does not pay unless the settings enable it', async () => {
    const simulator = aSimulator();
    generate(simulator);
    await passTime(simulator, 86_400_000);

    expect(paymentsOf(simulator)).toEqual([]);
  });

  test('pays once after the delay of the settings, even if the code is requested again', async () => {
    const simulator = aSimulator({ settings: AUTO });
    generate(simulator);
    generate(simulator);
    await passTime(simulator, 59_999);
    expect(paymentsOf(simulator)).toEqual([]);
    await passTime(simulator, 86_400_000);

    expect(paymentsOf(simulator)).toMatchObject([{ amount: 3_500, channel: 'service' }]);
  });

  test.each([{ failurePpm: 1_000_000 }, { abandonPpm: 1_000_000 }])('leaves no trace with %j', async (payer) => {
    const simulator = aSimulator({ settings: { payer: { ...AUTO.payer, ...payer } } });
    generate(simulator);
    await passTime(simulator, 86_400_000);

    expect(paymentsOf(simulator)).toEqual([]);
  });

  test.each([
    ['66000001', 0],
    ['66000002', 0],
    ['66000003', 0],
    ['66000004', 1],
  ])('pays %s as often as its meaning says: %i', async (amount, times) => {
    const simulator = aSimulator({ settings: AUTO });
    generate(simulator, { ...GOOD, amount_in_millimes: amount });
    await passTime(simulator, 60_000);
    expect(paymentsOf(simulator)).toHaveLength(0);
    await passTime(simulator, 60_000);

    expect(paymentsOf(simulator)).toHaveLength(times);
  });
});

describe('The payments of QR codes', () => {
  test('are empty for an unknown code, without an error', () => {
    expect(answerTo(aSimulator(), VERIFY, { query: { operation_uuid: UUID } })).toEqual({
      status: 200,
      body: { success: true, code: 200, transactions: [] },
    });
  });

  test('name the missing operation_uuid', () => {
    expect(answerTo(aSimulator(), VERIFY)).toEqual({
      status: 400,
      body: { success: false, code: 400, message: 'operation_uuid is required' },
    });
  });

  test('are listed for one merchant, the newest first, in a half-open range, up to the size', async () => {
    const simulator = aSimulator();
    generate(simulator);
    const other = 'c0000000-0000-4000-8000-00000000000b';
    generate(simulator, { ...GOOD, operation_uuid: other, merchant_id: '77' });
    const ids: (string | undefined)[] = [];
    for (let count = 0; count < 4; count += 1) {
      ids.push(payQr(simulator.simulation, UUID)[0]);
      payQr(simulator.simulation, other);
      await passTime(simulator, 60_000);
    }
    const [first, second, third, fourth] = ids;

    expect(historyOf(simulator, { merchant_id: '1234' })).toEqual([fourth, third, second, first]);
    expect(historyOf(simulator, { merchant_id: '1234', size: '2' })).toEqual([fourth, third]);
    const window = { start_date: '2026-03-02T08:01:00Z', end_date: '2026-03-02T08:03:00Z' };
    expect(historyOf(simulator, { merchant_id: '1234', ...window })).toEqual([third, second]);
    expect(historyOf(simulator, { merchant_id: '77' })).toHaveLength(4);
  });

  test.each([{ size: '0' }, { size: '10001' }, { start_date: 'yesterday' }, { end_date: '2026-03-02' }])(
    'refuses %j',
    (other) => {
      const answer = answerTo(aSimulator(), HISTORY, { query: { merchant_id: '1234', ...other } });

      expect(answer).toMatchObject({ status: 400, body: { success: false, code: 400 } });
    },
  );
});
