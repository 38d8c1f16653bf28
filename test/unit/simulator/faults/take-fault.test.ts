import { describe, expect, test } from '@jest/globals';
import { decodeCallFaultOrder } from '../../../../src/simulator/faults/call-fault-order';
import { STRUCK_MAX } from '../../../../src/simulator/faults/first-matching-call';
import { clearCallFaults, orderCallFault } from '../../../../src/simulator/faults/order-call-fault';
import { takeFault } from '../../../../src/simulator/faults/take-fault';
import type { SimOperation, SimRequest } from '../../../../src/simulator/testing';
import { aSimulator, passTime } from '../../../support/a-simulator';

const MINUTE_MS = 60_000;

const operation = (name: string, method: 'GET' | 'POST', path: string): SimOperation => ({
  name,
  method,
  path,
  auth: 'app',
  answer: () => ({ status: 200, body: {} }),
});
const VERIFY = operation('payments.verify', 'GET', '/api/v2/verify_payment/:payment_id');
const CREATE = operation('payments.create', 'POST', '/api/v2/generate_payment');

function aFaultySimulator(...orders: readonly Readonly<Record<string, unknown>>[]) {
  const { simulation, ...simulator } = aSimulator();
  for (const order of orders) {
    orderCallFault(simulation, decodeCallFaultOrder(order, [VERIFY, CREATE]));
  }
  const call = (given: Partial<SimRequest> = {}): SimRequest => ({
    method: 'GET',
    params: {},
    query: new URLSearchParams(),
    headers: {},
    body: undefined,
    ...given,
  });
  return {
    simulation,
    pass: (ms: number) => passTime({ ...simulator, simulation }, ms),
    take: (taken: SimOperation, given?: Partial<SimRequest>) => takeFault(simulation, taken, call(given))?.kind,
  };
}

describe('An ordered fault', () => {
  test.each([
    [{}, true],
    [{ operation: 'payments.verify' }, true],
    [{ operation: 'payments.create' }, false],
    [{ method: 'GET' }, true],
    [{ method: 'POST' }, false],
    [{ path: '/api/v2/verify_payment/:payment_id' }, true],
    [{ path: '/api/v2/*' }, true],
    [{ path: '*_payment/*' }, true],
    [{ path: '/api/v2/verify_payment/pay_1' }, true],
    [{ path: '/api/v2/verify_payment/pay_*' }, true],
    [{ path: '/api/v2/verify_payment/pay_2' }, false],
    [{ path: '/api/v2/generate_payment' }, false],
  ])('%j for Verify Payment of pay_1: %p', (where, hit) => {
    const { take } = aFaultySimulator({ ...where, fault: { kind: 'reset_after' } });
    expect(take(VERIFY, { params: { payment_id: 'pay_1' } })).toBe(hit ? 'reset_after' : undefined);
  });

  test('counts only fitting calls and ends after its number of times', () => {
    const { take, simulation } = aFaultySimulator({
      operation: 'payments.verify',
      afterCalls: 1,
      times: 2,
      fault: { kind: 'reset_before' },
    });
    expect([CREATE, VERIFY, CREATE, VERIFY, CREATE, VERIFY, VERIFY].map((one) => take(one))).toEqual([
      undefined,
      undefined,
      undefined,
      'reset_before',
      undefined,
      'reset_before',
      undefined,
    ]);
    expect(simulation.world.faults.orders).toEqual([]);
  });

  test('yields to an earlier order, and counts the call that the earlier one took', () => {
    const { take } = aFaultySimulator(
      { fault: { kind: 'reset_before' } },
      { afterCalls: 1, fault: { kind: 'reset_after' } },
      { afterCalls: 3, fault: { kind: 'truncated_json' } },
    );
    expect([VERIFY, VERIFY, VERIFY, VERIFY].map((one) => take(one))).toEqual([
      'reset_before',
      'reset_after',
      undefined,
      'truncated_json',
    ]);
  });

  test('can be withdrawn together with its ban', () => {
    const { take, simulation } = aFaultySimulator(
      { fault: { kind: 'ban', minutes: 5 } },
      { fault: { kind: 'reset_after' } },
    );
    expect(take(VERIFY)).toBe('ban');
    clearCallFaults(simulation);
    expect(take(VERIFY)).toBeUndefined();
    expect(simulation.world.checkout.verifyCalls.bannedUntil).toBeNull();
  });
});

test('no other order counts calls while the address is banned', async () => {
  const { take, pass } = aFaultySimulator({ fault: { kind: 'ban', minutes: 5 } }, { fault: { kind: 'reset_after' } });
  expect(take(VERIFY)).toBe('ban');
  expect(take(VERIFY, { body: { amount: 66_000_011 } })).toBeUndefined();
  await pass(5 * MINUTE_MS);
  expect(take(VERIFY)).toBe('reset_after');
});

describe('A magic amount', () => {
  test.each([
    ['as an integer', { body: { amount: 66_000_015 } }],
    ['in digits', { body: { amount: '66000015' } }],
    ['of a terminal', { body: { amount_in_millimes: 66_000_015 } }],
    ['of a QR code', { query: new URLSearchParams({ amount_in_millimes: '66000015' }) }],
    ['in the short form of the query', { query: new URLSearchParams({ amount: '66000015' }) }],
  ])('counts %s', (_how, given) => {
    expect(aFaultySimulator().take(CREATE, given)).toBe('garbage');
  });

  test.each([66_000_001, 66_000_017, 25_000, '66000015.0', null])('does not include %p', (amount) => {
    expect(aFaultySimulator().take(CREATE, { body: { amount } })).toBeUndefined();
  });

  test.each([
    ['developer_tracking_id of the body', { body: { amount: '66000010', developer_tracking_id: 'order-1' } }],
    ['operation_uuid of the query', { query: new URLSearchParams({ amount: '66000010', operation_uuid: 'u-1' }) }],
    ['operation_uuid of the body', { body: { amount: 66_000_010, operation_uuid: 'u-1' } }],
    ['tracking_id of the body', { body: { amount: 66_000_010, tracking_id: 'u-1' } }],
  ])('affects the first call of one %s, so that its retry succeeds', (_key, given) => {
    const { take } = aFaultySimulator();
    expect([1, 2, 3].map(() => take(CREATE, given))).toEqual(['status', undefined, undefined]);
  });

  test('affects again another key, another amount or another operation', () => {
    const { take } = aFaultySimulator();
    const body = { amount: '66000010', developer_tracking_id: 'order-1' };
    expect([
      take(CREATE, { body }),
      take(CREATE, { body: { ...body, developer_tracking_id: 'order-2' } }),
      take(CREATE, { body: { ...body, amount: '66000015' } }),
      take(VERIFY, { body }),
      take(CREATE, { body }),
    ]).toEqual(['status', 'status', 'garbage', 'status', undefined]);
  });

  test.each([{}, { developer_tracking_id: '' }, { developer_tracking_id: 7 }])(
    'affects every call without a key: %j',
    (more) => {
      const { take } = aFaultySimulator();
      const body = { amount: '66000010', ...more };
      expect([take(CREATE, { body }), take(CREATE, { body })]).toEqual(['status', 'status']);
    },
  );

  test('stores a limited number of affected keys in the saved world', () => {
    const { take, simulation } = aFaultySimulator();
    for (let number = 0; number <= STRUCK_MAX; number += 1) {
      take(CREATE, { body: { amount: '66000010', developer_tracking_id: `order-${number}` } });
    }
    expect(simulation.world.faults.struck).toHaveLength(STRUCK_MAX);
    const again = (number: number) =>
      take(CREATE, { body: { amount: '66000010', developer_tracking_id: `order-${number}` } });
    expect([again(STRUCK_MAX), again(0)]).toEqual([undefined, 'status']);
  });

  test('yields to an ordered fault', () => {
    const { take } = aFaultySimulator({ fault: { kind: 'reset_before' } });
    expect(take(CREATE, { body: { amount: 66_000_015 } })).toBe('reset_before');
  });
});

test('the trace names the fault of a call and whether the call was processed', () => {
  const { take, simulation } = aFaultySimulator(
    { fault: { kind: 'reset_before' } },
    { fault: { kind: 'reset_after' } },
  );
  take(CREATE);
  take(VERIFY);
  expect(simulation.world.trace.map(({ what, facts }) => [what, facts])).toEqual([
    ['fault', { operation: 'payments.create', fault: 'reset_before', processed: false }],
    ['fault', { operation: 'payments.verify', fault: 'reset_after', processed: true }],
  ]);
});
