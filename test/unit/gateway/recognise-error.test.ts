import { describe, expect, test } from '@jest/globals';
import { recogniseError } from '../../../src/gateway/recognise-error';

// Goal: each of the six error shapes is told apart by the body, and a good answer is never taken for one of them.
// Method: literal bodies of interface section 7 and open points 48 to 52, and what real answers add to them.

const OK = 200;

describe('a status in the result (Verify, Generate, List Bindings)', () => {
  test.each([
    [400, 'validation'],
    [401, 'authentication'],
    [403, 'permission'],
    [404, 'not_found'],
    [409, 'conflict'],
    [418, 'refused'],
    [422, 'validation'],
    [429, 'rate_limited'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('%s is %s whatever the HTTP status', (status, code) => {
    for (const httpStatus of [200, 400, 404, 500]) {
      const error = recogniseError({ result: { status, message: 'why' } }, httpStatus);
      expect(error).toEqual({ code, message: 'why', gatewayCode: String(status) });
    }
  });

  test.each([200, 0, 1, -1, 302, 404.5, 600])('%s says nothing that we know', (status) => {
    expect(recogniseError({ result: { status, message: 'why' } }, OK)?.code).toBe('unexpected_shape');
  });

  test('is not the word of a good answer (open point 19)', () => {
    expect(recogniseError({ success: true, result: { status: 'SUCCESS', amount: 1 } }, OK)).toBeUndefined();
  });
});

describe('a platform refusal (subscriptions)', () => {
  test.each([
    ['card_recurring_not_enabled', 400, 'refused'],
    ['card_recurring_not_implemented', 400, 'refused'],
    ['merchant_not_allowed', 403, 'permission'],
    ['merchant_wallet_inactive', 403, 'permission'],
    ['affiliation_inactive', 403, 'permission'],
    ['duplicate_developer_tracking_id', 409, 'duplicate_tracking_id'],
    ['recurring_payments_disabled', 503, 'unavailable'],
  ])('%s is known by its word, under %s and under 200', (error, httpStatus, code) => {
    const body = { result: { error, details: 'why', success: false }, name: 'developers', code: 1, version: 'v2' };
    expect(recogniseError(body, httpStatus)).toEqual({ code, message: error, gatewayCode: error });
    expect(recogniseError(body, OK)).toEqual({ code, message: error, gatewayCode: error });
  });

  test('with a new word takes its meaning from the HTTP status, else it is a refusal', () => {
    const body = { result: { error: 'moon_is_full', success: false }, code: 1 };
    expect(recogniseError(body, 400)?.code).toBe('refused');
    expect(recogniseError(body, OK)?.code).toBe('refused');
    expect(recogniseError(body, 403)?.code).toBe('permission');
    expect(recogniseError(body, 503)?.code).toBe('unavailable');
  });
});

test.each(['REFUND_NOT_ALLOWED', 'CANCELLATION_FAILED', 'CONFIRMATION_FAILED'])(
  '%s is a refusal under any status',
  (word) => {
    for (const httpStatus of [200, 400, 404, 500]) {
      const error = recogniseError({ status: 'error', message: 'why', code: word }, httpStatus);
      expect(error).toEqual({ code: 'refused', message: 'why', gatewayCode: word });
    }
  },
);

describe('a number beside a failure (QR)', () => {
  test.each([
    [400, 'merchant_id is required', 'validation'],
    [403, 'Forbidden', 'permission'],
    [404, 'precondition fails, code 3', 'not_found'],
    [500, 'Unexpected Error', 'unavailable'],
    [503, 'Service unavailable', 'unavailable'],
  ])('%s wins over the HTTP status (open point 79)', (code, message, expected) => {
    for (const httpStatus of [200, 400, 500]) {
      const error = recogniseError({ success: false, code, message }, httpStatus);
      expect(error).toEqual({ code: expected, message, gatewayCode: String(code) });
    }
  });

  test('the one of the envelope says nothing: the words or the HTTP status do', () => {
    const body = { success: false, message: 'subscription_not_found', name: 'developers', code: 1, version: 'v2' };
    expect(recogniseError(body, OK)).toMatchObject({ code: 'not_found', gatewayCode: 'subscription_not_found' });
    expect(recogniseError({ success: false, message: 'no', code: 1 }, 401)?.code).toBe('authentication');
    expect(recogniseError({ success: false, message: 'no', code: 1 }, OK)?.code).toBe('refused');
  });
});

describe('reasons by field', () => {
  test('are given as they came', () => {
    const body = { amount: ['Below 100.', 'Not a number.'], name: ['Too long.'] };
    expect(recogniseError(body, 400)).toMatchObject({ code: 'validation', fields: body });
    expect(recogniseError(body, OK)).toMatchObject({ code: 'validation', fields: body });
  });

  test('are no definite refusal under a good status when other fields stand beside them', () => {
    expect(recogniseError({ amount: ['Below 100.'], trace: 1 }, 400)?.code).toBe('validation');
    expect(recogniseError({ hash: 'h', blockchain_ref: 'r', warnings: ['slow'] }, 201)?.code).toBe('unexpected_shape');
  });

  test('keep a name that objects inherit', () => {
    const body: unknown = JSON.parse('{"__proto__":["no"],"constructor":["no"]}');
    expect(Object.keys(recogniseError(body, 400)?.fields ?? {})).toEqual(['__proto__', 'constructor']);
  });
});

describe('a detail', () => {
  test('means what the HTTP status says', () => {
    expect(recogniseError({ detail: 'Request was throttled.' }, 429)?.code).toBe('rate_limited');
    expect(recogniseError({ detail: 'no' }, 403)?.code).toBe('permission');
    expect(recogniseError({ detail: 'no' }, 500)?.code).toBe('unavailable');
  });

  test('is no definite refusal under a good status: it may be a remark', () => {
    expect(recogniseError({ detail: 'accepted' }, 202)?.code).toBe('unexpected_shape');
  });
});

test.each([
  [{ success: false }],
  [{ success: 'true', result: {} }],
  [{ success: null, result: {} }],
  [{ success: true, result: { success: false, payment_id: 'P-1' }, code: 0 }],
  [{ success: true, result: {}, code: 1 }],
  [{ success: true, result: {}, code: '0' }],
  [{ success: true, result: {}, status_code: 404 }],
  [{ status: 'failed', result: { status: 'success' } }],
  [{ status: 'pending', result: {} }],
  [{ success: true, error: 'no' }],
  [{ success: true, errors: [{ field: 'amount' }] }],
])('a flag that is not good makes %j an error of no known shape', (body) => {
  expect(recogniseError(body, OK)).toEqual({ code: 'unexpected_shape', message: 'an error in an unknown shape' });
});

test.each([
  [{ result: { success: true, payment_id: 'P-1' }, name: 'developers', code: 0, version: '2.0.0' }],
  [{ success: true, code: 200, transactions: [] }],
  [{ success: true, status_code: 201, terminal_id: 'T-1' }],
  [{ status: 'success', result: { status: 'confirmed' } }],
  [{ status: 'SUCCESS', result: { status: 'SUCCESS' } }],
  [{ count: 0, next: null, previous: null, results: [] }],
  [{ success: true, error: null, errors: [], detail: '', message: 'done' }],
  [{ success: true, result: {}, warnings: ['a new field'] }],
])('%j bears no sign of an error', (body) => {
  expect(recogniseError(body, OK)).toBeUndefined();
});

test.each([[undefined], [null], ['text'], [5], [[]], [[{ success: false }]]])(
  '%j is no object and left to the status',
  (body) => {
    expect(recogniseError(body, 500)).toBeUndefined();
  },
);
