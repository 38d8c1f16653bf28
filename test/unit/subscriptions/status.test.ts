import { describe, expect, test } from '@jest/globals';
import { GatewayError, type GatewayErrorCode } from '../../../src/gateway';
import { DAY_MS, millimes, MINUTE_MS } from '../../../src/kernel';
import { nextChargeStatus } from '../../../src/subscriptions/charge-status';
import { judgeFailure } from '../../../src/subscriptions/judge-failure';
import { type NextCheckFacts, nextSubscriptionCheck } from '../../../src/subscriptions/next-subscription-check';
import { nextSubscriptionStatus } from '../../../src/subscriptions/subscription-status';

const NOW = 100 * DAY_MS;

describe('the status of a subscription (interface section 3.2)', () => {
  test.each([
    [undefined, 'incomplete', 'moved'],
    [undefined, 'canceled', 'moved'],
    ['incomplete', 'active', 'moved'],
    ['incomplete', 'incomplete_expired', 'moved'],
    ['incomplete', 'canceled', 'moved'],
    ['active', 'active', 'unchanged'],
    ['active', 'past_due', 'moved'],
    ['active', 'unpaid', 'moved'],
    ['active', 'canceled', 'moved'],
    ['past_due', 'active', 'moved'],
    ['past_due', 'canceled', 'moved'],
    ['unpaid', 'active', 'moved'],
    ['active', 'paused', 'moved'],
    ['paused', 'active', 'moved'],
    ['active', 'incomplete', 'regressed'],
    ['past_due', 'incomplete_expired', 'regressed'],
    ['canceled', 'active', 'regressed'],
    ['canceled', 'incomplete_expired', 'regressed'],
    ['incomplete_expired', 'active', 'regressed'],
    ['incomplete_expired', 'incomplete', 'regressed'],
  ] as const)('from %s to %s is %s', (current, observed, kind) => {
    expect(nextSubscriptionStatus(current, observed)).toEqual({ kind });
  });
});

describe('the status of a charge (interface section 2.5)', () => {
  test.each([
    [undefined, 'PENDING', 'moved'],
    [undefined, 'SUCCESS', 'moved'],
    ['PENDING', 'SUCCESS', 'moved'],
    ['PENDING', 'FAILURE', 'moved'],
    ['PENDING', 'EXPIRED', 'moved'],
    ['PENDING', 'SYSTEM_FAILURE', 'moved'],
    ['SUCCESS', 'SUCCESS', 'unchanged'],
    ['FAILURE', 'SUCCESS', 'late_success'],
    ['EXPIRED', 'SUCCESS', 'late_success'],
    ['FAILURE', 'PENDING', 'regressed'],
    ['FAILURE', 'EXPIRED', 'regressed'],
    ['SUCCESS', 'FAILURE', 'regressed'],
    ['SUCCESS', 'PENDING', 'regressed'],
    ['SUCCESS', 'REFUNDED', 'regressed'],
  ] as const)('from %s to %s is %s', (current, observed, kind) => {
    expect(nextChargeStatus(current, observed)).toEqual({ kind });
  });
});

describe('the next status check of a subscription', () => {
  const PAID = {
    status: 'SUCCESS',
    fee: millimes(600),
    tva: millimes(114),
    itemId: 'payment:p',
    createdAt: NOW - DAY_MS,
    firstSeenAt: NOW - DAY_MS,
  };

  function planOf(
    subscription: Partial<NextCheckFacts['subscription']>,
    charges: readonly Partial<NextCheckFacts['charges'][number]>[] = [],
  ): number | undefined {
    const facts: NextCheckFacts = {
      subscription: {
        status: 'active',
        requestedAt: NOW - DAY_MS,
        sentAt: NOW - DAY_MS,
        sessionEndsAt: NOW - DAY_MS + 20 * MINUTE_MS,
        nextChargeAt: undefined,
        canceledAt: undefined,
        isTest: false,
        ...subscription,
      },
      charges: charges.map((charge) => ({ ...PAID, ...charge })),
    };
    const at = nextSubscriptionCheck(facts, NOW);
    return at === undefined ? undefined : at - NOW;
  }

  test('is half a minute after its creation, then a minute after its session', () => {
    const sessionEndsAt = NOW + 3 * MINUTE_MS;
    expect(planOf({ status: 'incomplete', sentAt: NOW, sessionEndsAt })).toBe(30_000);
    const sentAt = NOW - 17 * MINUTE_MS;
    expect(planOf({ status: 'incomplete', sentAt, sessionEndsAt })).toBe(4 * MINUTE_MS);
  });

  test('is daily while it is active, or five minutes after an earlier debit', () => {
    expect(planOf({})).toBe(DAY_MS);
    expect(planOf({ nextChargeAt: NOW + 10 * MINUTE_MS })).toBe(15 * MINUTE_MS);
    expect(planOf({ nextChargeAt: NOW + 2 * DAY_MS })).toBe(DAY_MS);
    expect(planOf({ nextChargeAt: NOW - DAY_MS })).toBe(DAY_MS);
  });

  test('is soon while a debit is in flight', () => {
    expect(planOf({}, [{ status: 'PENDING', createdAt: NOW - 10_000 }])).toBe(20_000);
  });

  test('is daily for ten days after its end while a fee is missing, then none', () => {
    const ended = { status: 'canceled', canceledAt: NOW - DAY_MS };
    expect(planOf(ended, [PAID])).toBeUndefined();
    expect(planOf(ended, [{ fee: undefined }])).toBe(DAY_MS);
    const longAgo = { createdAt: NOW - 12 * DAY_MS, firstSeenAt: NOW - 12 * DAY_MS };
    expect(planOf({ ...ended, canceledAt: NOW - 10 * DAY_MS }, [{ tva: undefined, ...longAgo }])).toBeUndefined();
  });

  test('continues after its end while a mismatch stops a posting, but not for test money', () => {
    const ended = { status: 'canceled', canceledAt: NOW - 30 * DAY_MS };
    expect(planOf(ended, [{ itemId: undefined }])).toBe(DAY_MS);
    expect(planOf({ ...ended, isTest: true }, [{ itemId: undefined }])).toBeUndefined();
  });
});

describe('the outcome of a failed creation', () => {
  const judged = (code: GatewayErrorCode, wasSentBefore: boolean, gatewayCode?: string): string => {
    const error = new GatewayError(code, 'no', { operation: 'subscriptions.create', gatewayCode, httpStatus: 400 });
    const failed = judgeFailure(error, wasSentBefore);
    return failed.kind === 'later' ? `later ${failed.isSureNo ? 'not made' : 'perhaps made'}` : failed.kind;
  };

  test.each([
    ['validation', undefined, 'refused', 'refused'],
    ['refused', 'card_recurring_not_enabled', 'refused', 'refused'],
    ['conflict', 'duplicate_developer_tracking_id', 'refused', 'refused'],
    ['permission', 'merchant_not_allowed', 'refused', 'unknown'],
    ['permission', 'merchant_wallet_inactive', 'refused', 'unknown'],
    ['permission', 'affiliation_inactive', 'refused', 'unknown'],
    // A ban has no word of the interface, and ends. The number of its body is no word.
    ['permission', undefined, 'later not made', 'later perhaps made'],
    ['permission', '403', 'later not made', 'later perhaps made'],
    ['permission', '1', 'later not made', 'later perhaps made'],
    ['rate_limited', undefined, 'later not made', 'later perhaps made'],
    ['authentication', undefined, 'later not made', 'later perhaps made'],
    ['unavailable', 'recurring_payments_disabled', 'later not made', 'later perhaps made'],
    ['unavailable', undefined, 'later perhaps made', 'later perhaps made'],
    ['unavailable', '500', 'later perhaps made', 'later perhaps made'],
    ['connection', undefined, 'later perhaps made', 'later perhaps made'],
    ['timeout', undefined, 'unknown', 'unknown'],
    ['duplicate_tracking_id', undefined, 'unknown', 'unknown'],
    ['unexpected_shape', undefined, 'unknown', 'unknown'],
  ] as const)('of %s (%s) is %s at the first try, %s after an earlier try', (code, word, first, again) => {
    expect(judged(code, false, word)).toBe(first);
    expect(judged(code, true, word)).toBe(again);
  });

  test.each([
    ['rate_limited', undefined],
    ['permission', 'merchant_not_allowed'],
    ['permission', undefined],
    ['authentication', undefined],
  ] as const)('of %s (%s) is unknown if an earlier try of the same call was lost', (code, gatewayCode) => {
    const answered = new GatewayError(code, 'no', { operation: 'subscriptions.create', gatewayCode, httpStatus: 429 });
    const error = Object.assign(answered, { afterLostTry: true } as const);
    expect(judgeFailure(error, false)).toEqual(judgeFailure(answered, true));
    expect(judgeFailure(error, false).kind).not.toBe('refused');
  });

  test.each(['rate_limited', 'unavailable'] as const)(
    'of %s from Millime’s own budget is a definite refusal without a request',
    (code) => {
      const error = new GatewayError(code, 'no', { operation: 'subscriptions.create' });
      expect(judgeFailure(error, false)).toMatchObject({ kind: 'later', isSureNo: true, hasLeft: false });
      expect(judgeFailure(error, true)).toMatchObject({ kind: 'later', isSureNo: false });
    },
  );
});
