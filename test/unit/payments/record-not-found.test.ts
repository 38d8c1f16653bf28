// Goal: a payment unknown to the gateway is checked again, and reported to a person, at the right times.
// Method: the pure decision on hand-made payments; no database, no gateway.
import { describe, expect, test } from '@jest/globals';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel';
import { nextUnfoundCheck } from '../../../src/payments/status-checks/record-not-found';
import { aPayment } from '../../support/factories/a-payment';

const START = Date.UTC(2026, 2, 2, 8);
const SESSION_ENDS_AT = START + 20 * MINUTE_MS;
const GRACE_ENDS_AT = SESSION_ENDS_AT + 40 * MINUTE_MS;

const hold = aPayment({
  kind: 'preauthorization',
  status: 'PREAUTH_SUCCESS',
  requestedAt: START,
  sessionEndsAt: SESSION_ENDS_AT,
  lastCheckAt: START + MINUTE_MS,
});

describe('a hold that the gateway does not know', () => {
  test('is checked daily and reported as unclear from 40 minutes after its session', () => {
    const facts = { payment: hold, isCancelled: false };
    expect(nextUnfoundCheck(facts, GRACE_ENDS_AT - 1)).toEqual({ nextCheckAt: GRACE_ENDS_AT, isUnclear: false });
    expect(nextUnfoundCheck(facts, GRACE_ENDS_AT)).toEqual({ nextCheckAt: GRACE_ENDS_AT + DAY_MS, isUnclear: true });
  });

  test('ends without a report if Millime cancelled it', () => {
    const facts = { payment: hold, isCancelled: true };
    expect(nextUnfoundCheck(facts, GRACE_ENDS_AT - 1)).toEqual({ nextCheckAt: GRACE_ENDS_AT, isUnclear: false });
    expect(nextUnfoundCheck(facts, GRACE_ENDS_AT)).toEqual({ nextCheckAt: undefined, isUnclear: false });
  });

  test('is reported as unclear if it was captured despite the cancellation', () => {
    const facts = { payment: { ...hold, status: 'SUCCESS' }, isCancelled: true };
    expect(nextUnfoundCheck(facts, GRACE_ENDS_AT)).toEqual({ nextCheckAt: GRACE_ENDS_AT + DAY_MS, isUnclear: true });
  });
});
