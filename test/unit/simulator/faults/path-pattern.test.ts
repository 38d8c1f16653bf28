import { describe, expect, test } from '@jest/globals';
import { canFit, pathFits, pathOfCall } from '../../../../src/simulator/faults/path-pattern';

// Goal: a pattern strikes the paths it means, whatever it holds, and costs next to nothing.
// Method: pairs of pattern and path; of many stars only that the answer comes at all (an expression made of them never ends).

const VERIFY = '/api/v2/verify_payment/:payment_id';
const CHARGES = '/api/v2/subscriptions/:subscription_id/charges';

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
    expect(canFit(pattern, VERIFY)).toBe(true);
    expect(canFit(`${'*'.repeat(90)}x`, '/api/v2/generate_payment')).toBe(false);
  });
});

test('the path of a call contains its known parameters and keeps unknown ones as placeholders', () => {
  expect(pathOfCall(CHARGES, { subscription_id: 'sub_$&' })).toBe('/api/v2/subscriptions/sub_$&/charges');
  expect(pathOfCall(VERIFY, {})).toBe(VERIFY);
});

describe('A pattern for an operation', () => {
  test.each([
    [VERIFY, VERIFY, true],
    ['/api/v2/verify_payment/pay_1', VERIFY, true],
    ['/api/v2/verify_payment/', VERIFY, false],
    ['/api/v2/verify_payment/a/b', VERIFY, false],
    ['/api/v2/verify_payment', VERIFY, false],
    ['*x', VERIFY, true],
    ['*/x/charges', CHARGES, true],
    ['*/x/y/charges', CHARGES, false],
    ['/api/*/a*b/charges', CHARGES, true],
    ['*', CHARGES, true],
    ['', CHARGES, false],
  ])('can fit %p at %p: %p', (pattern, template, fits) => {
    expect(canFit(pattern, template)).toBe(fits);
  });
});
