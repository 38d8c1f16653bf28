import { describe, expect, test } from '@jest/globals';
import { isAppError, MINUTE_MS } from '../../../../src/kernel';
import { decodeCallFaultOrder } from '../../../../src/simulator/faults/call-fault-order';
import { STRUCK_MAX } from '../../../../src/simulator/faults/first-matching-call';
import { clearCallFaults, orderCallFault } from '../../../../src/simulator/faults/order-call-fault';
import { canFit, pathFits, pathOfCall } from '../../../../src/simulator/faults/path-pattern';
import { takeFault } from '../../../../src/simulator/faults/take-fault';
import type { SimOperation, SimRequest } from '../../../../src/simulator/testing';
import { aSimulator, passTime } from '../../../support/a-simulator';

const OPERATIONS = [
  { name: 'pos.start', method: 'POST', path: '/api/transactions/init_pos_transaction' },
  { name: 'payments.verify', method: 'GET', path: '/api/v2/verify_payment/:payment_id' },
] as const;

const LOST = { fault: { kind: 'reset_after' } };

function faultsOf(value: unknown): readonly string[] {
  try {
    decodeCallFaultOrder(value, OPERATIONS);
  } catch (error) {
    if (isAppError(error, 'bad_input')) return error.details;
    throw error;
  }
  return [];
}

describe('An order for a call fault', () => {
  test('applies once to the next call of any operation by default', () => {
    expect(decodeCallFaultOrder({ fault: { kind: 'reset_after' } }, OPERATIONS)).toEqual({
      operation: '*',
      afterCalls: 0,
      times: 1,
      fault: { kind: 'reset_after' },
    });
  });

  test.each([
    [
      { kind: 'status', code: 500 },
      { kind: 'status', code: 500, headers: {}, processed: true },
    ],
    [
      { kind: 'status', code: 418, body: [1, { a: null }], headers: { 'X-A': 'b' }, processed: false },
      { kind: 'status', code: 418, body: [1, { a: null }], headers: { 'X-A': 'b' }, processed: false },
    ],
    [{ kind: 'garbage' }, { kind: 'garbage', processed: true }],
    [{ kind: 'huge_body' }, { kind: 'huge_body', bytes: 10_485_760 }],
    [
      { kind: 'redirect', to: 'https://elsewhere.example/' },
      { kind: 'redirect', to: 'https://elsewhere.example/', code: 307 },
    ],
    [{ kind: 'too_many' }, { kind: 'too_many', retryAfterSecs: 60 }],
    [
      { kind: 'too_many', retryAfterSecs: null },
      { kind: 'too_many', retryAfterSecs: null },
    ],
    [
      { kind: 'ban', minutes: 5 },
      { kind: 'ban', minutes: 5 },
    ],
  ])('completes %j with defaults', (fault, filled) => {
    expect(decodeCallFaultOrder({ fault }, OPERATIONS).fault).toEqual(filled);
  });

  test.each([
    '/api/v2/verify_payment/:payment_id',
    '/api/v2/verify_payment/pay_1',
    '/api/v2/verify_payment/*',
    '*',
    '*_1',
    '/api/*/init_pos_transaction',
  ])('accepts the path %s', (path) => {
    expect(decodeCallFaultOrder({ ...LOST, path }, OPERATIONS).path).toBe(path);
  });

  test.each([
    ['nothing', undefined, 'call fault'],
    ['no fault', {}, 'fault'],
    ['a fault that is none', { fault: { kind: 'explode' } }, 'fault.kind'],
    ['a fault as a word', { fault: 'delay' }, 'fault'],
    ['a delay without its time', { fault: { kind: 'delay' } }, 'fault.ms'],
    ['a delay before now', { fault: { kind: 'delay', ms: -1 } }, 'fault.ms'],
    ['a delay in digits', { fault: { kind: 'delay', ms: '5' } }, 'fault.ms'],
    ['half a byte', { fault: { kind: 'drip', bytesPerSecond: 0.5 } }, 'fault.bytesPerSecond'],
    ['no bytes', { fault: { kind: 'drip', bytesPerSecond: 0 } }, 'fault.bytesPerSecond'],
    ['a status that is none', { fault: { kind: 'status', code: 99 } }, 'fault.code'],
    ['a line break in a header', { fault: { kind: 'status', code: 500, headers: { A: 'b\r\nC: d' } } }, 'headers.A'],
    ['a space in the name of a header', { fault: { kind: 'status', code: 500, headers: { 'A B': '' } } }, 'headers'],
    ['a line break in an address', { fault: { kind: 'redirect', to: 'a\r\nb' } }, 'fault.to'],
    ['a redirect that is none', { fault: { kind: 'redirect', to: '/', code: 304 } }, 'fault.code'],
    ['a field of another fault', { fault: { kind: 'reset_after', ms: 5 } }, 'fault'],
    ['an unknown field', { fault: { kind: 'reset_after' }, route: '/x' }, 'call fault'],
    ['an unknown operation', { fault: { kind: 'reset_after' }, operation: 'pos.stop' }, 'operation'],
    ['another method', { fault: { kind: 'reset_after' }, method: 'PUT' }, 'method'],
    ['a method that the operation has not', { ...LOST, operation: 'pos.start', method: 'GET' }, 'method'],
    ['a path of no operation', { ...LOST, path: '/api/v2/verify' }, 'path'],
    ['a part of a path', { ...LOST, path: '/api/v2' }, 'path'],
    ['a path with its query', { ...LOST, path: '/api/v2/verify_payment/pay_1?x=1*/y' }, 'path'],
    ['a path of another operation', { ...LOST, operation: 'pos.start', path: '/api/v2/verify_payment/a' }, 'path'],
    ['a path of another method', { ...LOST, method: 'POST', path: '/api/v2/*' }, 'path'],
    ['calls before now', { fault: { kind: 'reset_after' }, afterCalls: -1 }, 'afterCalls'],
    ['no times', { fault: { kind: 'reset_after' }, times: 0 }, 'times'],
  ])('is refused for %s, and names the field', (_what, value, field) => {
    const [detail = ''] = faultsOf(value);
    expect(detail.split(': ')[0]).toContain(field);
  });
});

// Goal: a pattern selects exactly its paths, whatever its characters, in negligible time.
// Method: pairs of pattern and path; for many stars only that an answer arrives (a regular expression of them never
// ends).

const VERIFY_PATH = '/api/v2/verify_payment/:payment_id';
const CHARGES_PATH = '/api/v2/subscriptions/:subscription_id/charges';

describe('A path pattern', () => {
  test.each([
    ['/a/b', '/a/b', true],
    ['/a/b', '/a/bc', false],
    ['/a/*', '/a/', true],
    ['/a/*', '/a', false],
    ['*', '', true],
    ['**', '/a', true],
    ['/a*a', '/a', false],
    ['/a*a', '/aa', true],
    ['*b*b', '/ab', false],
    ['*b*b', '/abab', true],
    ['/a.c', '/abc', false],
    ['/(a+)+$', '/aaaa', false],
    ['/a/*/c', '/a/b/b/c', true],
    ['/a/*/c', '/a/c', false],
  ])('%p and the path %p: %p', (pattern, path, fits) => {
    expect(pathFits(pattern, path)).toBe(fits);
  });

  test('with many stars is compared quickly', () => {
    const pattern = `${'*a'.repeat(90)}x`;
    expect(pathFits(pattern, `/${'a'.repeat(10_000)}`)).toBe(false);
    expect(canFit(pattern, VERIFY_PATH)).toBe(true);
    expect(canFit(`${'*'.repeat(90)}x`, '/api/v2/generate_payment')).toBe(false);
  });
});

test('the path of a call contains its known parameters and keeps unknown ones as placeholders', () => {
  expect(pathOfCall(CHARGES_PATH, { subscription_id: 'sub_$&' })).toBe('/api/v2/subscriptions/sub_$&/charges');
  expect(pathOfCall(VERIFY_PATH, {})).toBe(VERIFY_PATH);
});

describe('A pattern for an operation', () => {
  test.each([
    [VERIFY_PATH, VERIFY_PATH, true],
    ['/api/v2/verify_payment/pay_1', VERIFY_PATH, true],
    ['/api/v2/verify_payment/', VERIFY_PATH, false],
    ['/api/v2/verify_payment/a/b', VERIFY_PATH, false],
    ['/api/v2/verify_payment', VERIFY_PATH, false],
    ['*x', VERIFY_PATH, true],
    ['*/x/charges', CHARGES_PATH, true],
    ['*/x/y/charges', CHARGES_PATH, false],
    ['/api/*/a*b/charges', CHARGES_PATH, true],
    ['*', CHARGES_PATH, true],
    ['', CHARGES_PATH, false],
  ])('can fit %p at %p: %p', (pattern, template, fits) => {
    expect(canFit(pattern, template)).toBe(fits);
  });
});

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
