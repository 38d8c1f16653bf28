import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../../src/kernel';
import { decodeCallFaultOrder } from '../../../../src/simulator/faults/call-fault-order';

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
