import { describe, expect, test } from '@jest/globals';
import { recognizeError } from '../../../src/gateway/recognize-error';

// Goal: each of the six error shapes is recognized by the body, and a success is never confused with one of them.
// Method: literal bodies of interface section 7 and open points 48 to 52, and the additions of real answers.

const OK = 200;

describe('a status in the result (Verify, Generate, List Bindings)', () => {
  test.each([
    [400, 'validation'],
    [401, 'authentication'],
    [403, 'permission'],
    [404, 'not_found'],
    [409, 'refused'],
    [418, 'refused'],
    [422, 'validation'],
    [429, 'rate_limited'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('%s is %s whatever the HTTP status below 500', (status, code) => {
    for (const httpStatus of [200, 302, 400, 404]) {
      const error = recognizeError({ result: { status, message: 'why' } }, httpStatus);
      expect(error).toMatchObject({ code, message: 'why', gatewayCode: String(status) });
    }
    const error = recognizeError({ result: { status, message: 'why' } }, 500);
    expect(error).toMatchObject({
      code: 'unavailable',
      message: 'why',
      gatewayCode: String(status),
      certainty: 'open',
    });
  });

  test.each([200, 0, 1, -1, 302, 404.5, 600])('%s is an unexpected shape', (status) => {
    expect(recognizeError({ result: { status, message: 'why' } }, OK)?.code).toBe('unexpected_shape');
  });

  test('is not confused with the status word of a success (open point 19)', () => {
    expect(recognizeError({ success: true, result: { status: 'SUCCESS', amount: 1 } }, OK)).toBeUndefined();
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
  ])('%s is recognized by its word, under %s and under 200', (error, httpStatus, code) => {
    const body = { result: { error, details: 'why', success: false }, name: 'developers', code: 1, version: 'v2' };
    for (const status of [httpStatus, OK, 504]) {
      expect(recognizeError(body, status)).toMatchObject({
        code,
        message: error,
        gatewayCode: error,
        certainty: 'sure',
        isOwnWord: true,
      });
    }
  });

  test('with a new word follows the HTTP status, and is a refusal otherwise', () => {
    const body = { result: { error: 'moon_is_full', success: false }, code: 1 };
    expect(recognizeError(body, 400)?.code).toBe('refused');
    expect(recognizeError(body, OK)?.code).toBe('refused');
    expect(recognizeError(body, 403)?.code).toBe('permission');
    expect(recognizeError(body, 503)?.code).toBe('unavailable');
  });
});

test.each(['REFUND_NOT_ALLOWED', 'CANCELLATION_FAILED', 'CONFIRMATION_FAILED'])(
  '%s is a refusal under any status',
  (word) => {
    for (const httpStatus of [200, 400, 404, 409, 500, 504]) {
      const error = recognizeError({ status: 'error', message: 'why', code: word }, httpStatus);
      expect(error).toMatchObject({ code: 'refused', message: 'why', gatewayCode: word, certainty: 'sure' });
    }
  },
);

describe('the number of a failure (QR)', () => {
  test.each([
    [400, 'merchant_id is required', 'validation'],
    [403, 'Forbidden', 'permission'],
    [404, 'precondition fails, code 3', 'not_found'],
    [500, 'Unexpected Error', 'unavailable'],
    [503, 'Service unavailable', 'unavailable'],
  ])('%s wins over the HTTP status (open point 79)', (code, message, expected) => {
    for (const httpStatus of [200, 400, 500]) {
      const error = recognizeError({ success: false, code, message }, httpStatus);
      expect(error).toMatchObject({ code: expected, message, gatewayCode: String(code) });
    }
  });

  test('of an envelope is ignored in favor of its words or the HTTP status', () => {
    const body = { success: false, message: 'subscription_not_found', name: 'developers', code: 1, version: 'v2' };
    expect(recognizeError(body, OK)).toMatchObject({ code: 'not_found', gatewayCode: 'subscription_not_found' });
    expect(recognizeError({ success: false, message: 'no', code: 1 }, 401)?.code).toBe('authentication');
    expect(recognizeError({ success: false, message: 'no', code: 1 }, OK)?.code).toBe('refused');
  });
});

describe('reasons by field', () => {
  test('are returned unchanged', () => {
    const body = { amount: ['Below 100.', 'Not a number.'], name: ['Too long.'] };
    expect(recognizeError(body, 400)).toMatchObject({ code: 'validation', fields: body });
    expect(recognizeError(body, OK)).toMatchObject({ code: 'validation', fields: body });
  });

  test('are not a definite refusal under a success status beside other fields', () => {
    expect(recognizeError({ amount: ['Below 100.'], trace: 1 }, 400)?.code).toBe('validation');
    expect(recognizeError({ hash: 'h', blockchain_ref: 'r', warnings: ['slow'] }, 201)?.code).toBe('unexpected_shape');
  });

  test('keep a name from the prototype of objects', () => {
    const body: unknown = JSON.parse('{"__proto__":["no"],"constructor":["no"]}');
    expect(Object.keys(recognizeError(body, 400)?.fields ?? {})).toEqual(['__proto__', 'constructor']);
  });
});

describe('a detail', () => {
  test('means what the HTTP status states', () => {
    expect(recognizeError({ detail: 'Request was throttled.' }, 429)?.code).toBe('rate_limited');
    expect(recognizeError({ detail: 'no' }, 403)?.code).toBe('permission');
    expect(recognizeError({ detail: 'no' }, 500)?.code).toBe('unavailable');
  });

  test('is not a definite refusal under a success status', () => {
    expect(recognizeError({ detail: 'accepted' }, 202)?.code).toBe('unexpected_shape');
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
])('a failure flag makes %j an error of unknown shape', (body) => {
  const message = 'an error in an unknown shape';
  expect(recognizeError(body, OK)).toMatchObject({ code: 'unexpected_shape', message, certainty: 'open' });
  expect(recognizeError(body, 502)).toMatchObject({ code: 'unavailable', message, certainty: 'open' });
});

test.each([
  [{ result: { success: true, refund_id: 'R', status: 'success', error: 'x' }, status: 'success', code: 0 }],
  [{ result: { error: 'moon_is_full' }, success: true }],
  [{ result: { status: 404, message: 'why' }, code: 0 }],
  [{ status: 'error', message: 'why', code: 'REFUND_NOT_ALLOWED', success: true }],
  [{ success: false, message: 'why', code: 200 }],
  [{ success: false, message: 'why', code: 404, status: 'success' }],
  [{ detail: 'why', status_code: 201 }],
  [{ amount: ['why'], status: 'success' }],
])('%j contradicts itself and is an unexpected shape', (body) => {
  for (const httpStatus of [200, 400]) {
    expect(recognizeError(body, httpStatus)).toMatchObject({ code: 'unexpected_shape', certainty: 'open' });
  }
});

describe('the certainty of a refusal', () => {
  const word = { status: 'error', message: 'still processing', code: 'TIMEOUT' };
  const platform = { result: { error: 'moon_is_full', success: false }, code: 1 };
  const fields = { amount: ['Below 100.'] };
  const number = (code: number): object => ({ success: false, code, message: 'why' });
  const result = (status: number): object => ({ result: { status, message: 'why' } });

  test.each([
    // Words that the interface does not have.
    [word, 200, 'likely'],
    [word, 400, 'sure'],
    [word, 504, 'open'],
    [platform, 200, 'likely'],
    [platform, 400, 'sure'],
    [platform, 409, 'likely'],
    [platform, 500, 'open'],
    [{ success: false, message: 'no', code: 1 }, 200, 'likely'],
    [{ success: false, message: 'no', code: 1 }, 403, 'sure'],
    [{ detail: 'no' }, 200, 'open'],
    [{ detail: 'no' }, 429, 'sure'],
    [{ detail: 'no' }, 503, 'open'],
    // Numbers of the body.
    [result(404), 200, 'sure'],
    [result(404), 302, 'sure'],
    [result(404), 400, 'sure'],
    [result(404), 504, 'open'],
    [result(409), 200, 'likely'],
    [result(500), 200, 'open'],
    [result(500), 400, 'open'],
    [number(403), 200, 'sure'],
    [number(403), 504, 'open'],
    [number(404.5), 200, 'open'],
    // Reasons by field.
    // Under a good status they may be about what was done.
    [fields, 200, 'likely'],
    [fields, 400, 'sure'],
    [fields, 502, 'open'],
    [{ message: ['upstream request timeout'], request_id: 'abc' }, 504, 'open'],
    [{ errors: ['Internal error'] }, 500, 'open'],
    [{ errors: ['Internal error'] }, 200, 'open'],
    [{ detail: ['bad gateway'] }, 502, 'open'],
  ])('of %j under %s is: %s', (body, httpStatus, certainty) => {
    expect(recognizeError(body, httpStatus)?.certainty).toBe(certainty);
  });

  test.each([408, 425, 499])('is open for a %s anywhere, because the sender only stopped waiting', (status) => {
    for (const [body, httpStatus] of [
      [result(status), 200],
      [result(status), 400],
      [number(status), 200],
      [word, status],
      [fields, status],
      [result(404), status],
    ] as const) {
      expect(recognizeError(body, httpStatus)?.certainty).toBe('open');
    }
  });

  test.each([
    [word, 'TIMEOUT'],
    [platform, 'moon_is_full'],
    [fields, undefined],
    [result(408), '408'],
    [number(408), '408'],
    [{ success: false, message: 'no', code: 1 }, '1'],
  ])('is open for %j under 5xx, which only reports the gateway unavailable', (body, gatewayCode) => {
    for (const httpStatus of [500, 502, 504]) {
      const error = recognizeError(body, httpStatus);
      expect(error).toMatchObject({ code: 'unavailable', certainty: 'open' });
      expect(error?.gatewayCode).toBe(gatewayCode);
      expect(error).not.toHaveProperty('fields');
    }
  });
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
])('%j is not an error', (body) => {
  expect(recognizeError(body, OK)).toBeUndefined();
});

test.each([[undefined], [null], ['text'], [5], [[]], [[{ success: false }]]])(
  '%j is not an object and is left to the HTTP status',
  (body) => {
    expect(recognizeError(body, 500)).toBeUndefined();
  },
);
