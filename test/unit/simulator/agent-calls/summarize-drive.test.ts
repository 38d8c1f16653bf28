import { describe, expect, test } from '@jest/globals';
import { millimes } from '../../../../src/kernel';
import type { CheckResult, ConfirmFault, ConfirmResult, DriveAttempt, PlannedPayment } from '../../../../src/simulator';
import { summarizeDrive } from '../../../../src/simulator/agent-calls/summarize-drive';

// Goal: from a journal it is plain which payments are certain, and every breach of the interface is named once.
// Method: journals of one or two payments, written by hand.

const HEAD = {
  transactionId: 'T-1',
  agentId: 'A-1',
  tokenFault: undefined,
  firstFault: undefined,
  copies: 1,
  resend: false,
};
const GOOD: PlannedPayment = { ...HEAD, make: 'good', amount: millimes(5_000) };
const TO_NOBODY: PlannedPayment = { ...HEAD, make: 'unknown_agent', agentId: 'nobody', amount: millimes(5_000) };
const BAD_AMOUNT: PlannedPayment = { ...HEAD, make: 'bad_amount', amount: '5000' };

const code = (value: '0' | '1' | '2' | '3'): ConfirmResult => ({
  kind: 'answered',
  status: 200,
  body: { code: value },
});
const lost = (unheardCode?: string): ConfirmResult => ({ kind: 'lost', unheardCode });
const REFUSED = { kind: 'refused', status: 403 } as const;
const FAILED = { kind: 'failed', status: 503, retryAfterMs: undefined } as const;

const confirm = (result: ConfirmResult, payment: PlannedPayment = GOOD, fault?: ConfirmFault): DriveAttempt => ({
  payment,
  operation: 'confirm',
  fault,
  result,
  tookMs: 1,
});
const check = (result: CheckResult, payment: PlannedPayment = GOOD): DriveAttempt => ({
  payment,
  operation: 'check',
  fault: undefined,
  result,
  tookMs: 1,
});
const invalid: CheckResult = { kind: 'answered', status: 200, body: { code: '1', desc: '', amount: '0' } };

const summarize = (...journal: DriveAttempt[]) => summarizeDrive([...new Set(journal.map((a) => a.payment))], journal);
const kinds = (...journal: DriveAttempt[]): string[] => summarize(...journal).violations.map(({ kind }) => kind);

describe('The summary of a drive', () => {
  test.each<[string, DriveAttempt[]]>([
    ['0', [confirm(code('0'))]],
    ['3 after a lost reply', [confirm(lost('0')), confirm(code('3'))]],
    ['3 while a copy was answered 0', [confirm(code('3')), confirm(code('0'))]],
    ['3 after a time-out', [confirm({ kind: 'timed_out' }), confirm(code('3'))]],
  ])('holds a payment for certain after %s', (_what, journal) => {
    const { registered, unknown, violations } = summarize(...journal);
    expect(registered).toEqual([{ transactionId: 'T-1', agentId: 'A-1', amountMillimes: 5_000 }]);
    expect([unknown, violations]).toEqual([[], []]);
  });

  test('counts a payment as unknown if its last reply was lost, even if the reply contained 0', () => {
    const { registered, unknown } = summarize(confirm(lost('0')), confirm(lost()));
    expect([registered, unknown]).toEqual([[], ['T-1']]);
  });

  test('counts a refused or unsent payment as neither stored nor unknown', () => {
    for (const attempt of [confirm(code('1'), TO_NOBODY), confirm({ kind: 'not_connected', reason: 'ECONNREFUSED' })]) {
      expect(summarize(attempt)).toMatchObject({ registered: [], unknown: [] });
    }
  });

  test('counts the answers of each operation', () => {
    const { answers, calls } = summarize(check(invalid), confirm(code('0')), confirm(code('3')), confirm(lost()));
    expect(answers).toEqual({ 'check 1': 1, 'confirm 0': 1, 'confirm 3': 1, 'confirm lost': 1 });
    expect(calls).toBe(4);
  });
});

describe('A violation of the interface', () => {
  test('is not reported for what the interface allows', () => {
    expect(
      kinds(
        confirm(REFUSED, GOOD, 'bad_token'),
        confirm(lost('0'), GOOD, 'lose_reply'),
        confirm(code('3')),
        confirm(code('3')),
      ),
    ).toEqual([]);
    expect(kinds(check(invalid, TO_NOBODY), confirm(code('1'), TO_NOBODY))).toEqual([]);
    expect(kinds(confirm(code('2'), BAD_AMOUNT), confirm(code('2'), BAD_AMOUNT))).toEqual([]);
  });

  test.each<[string, string, DriveAttempt[]]>([
    ['two 0 for one id', 'registered_twice', [confirm(code('0')), confirm(code('0'))]],
    ['a 0 in a lost reply and another one', 'registered_twice', [confirm(lost('0')), confirm(code('0'))]],
    ['a 3 for an id that was never sent', 'duplicate_of_nothing', [confirm(code('3'))]],
    ['a 3 after half a request', 'duplicate_of_nothing', [confirm(lost(), GOOD, 'cut_request'), confirm(code('3'))]],
    ['a code for a call without a token', 'token_not_refused', [confirm(code('0'), GOOD, 'no_token')]],
    [
      'a 401 for a bad token',
      'token_not_refused',
      [confirm({ kind: 'unexpected', status: 401, reason: 'the status is 401' }, GOOD, 'bad_token')],
    ],
    ['a 403 for a good token', 'good_token_refused', [confirm(REFUSED)]],
    ['a good agent who is invalid', 'wrong_code', [check(invalid)]],
    ['a 0 for nobody', 'wrong_code', [confirm(code('0'), TO_NOBODY)]],
    ['a 0 for a bad amount', 'wrong_code', [confirm(code('0'), BAD_AMOUNT)]],
    ['a 2 for a good amount', 'wrong_code', [confirm(code('2'))]],
    [
      'a number as code',
      'unexpected_answer',
      [confirm({ kind: 'unexpected', status: 200, reason: 'code is a number' })],
    ],
    ['nothing but 503', 'failing', [confirm(FAILED), confirm(FAILED)]],
  ])('is %s', (_what, kind, journal) => {
    expect(kinds(...journal)).toEqual([kind]);
  });

  test('names the section and the payment, and shows no token', () => {
    const expiredToken = 'eyJ.secret.text';
    const { violations } = summarize(confirm(code('0'), GOOD, { expiredToken }));
    expect(violations).toEqual([
      {
        kind: 'token_not_refused',
        section: expect.stringContaining('4.6'),
        transactionId: 'T-1',
        detail: 'confirm: code 0 for a token that has expired',
      },
    ]);
    expect(JSON.stringify(violations)).not.toContain('secret');
  });

  test('is not reported for a single 503 among many answers', () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      confirm(code('0'), { ...GOOD, transactionId: `T-${index + 2}` }),
    );
    expect(kinds(confirm(FAILED), confirm(code('0')), ...many)).toEqual([]);
  });
});
