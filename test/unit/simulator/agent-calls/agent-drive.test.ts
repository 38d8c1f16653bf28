import { describe, expect, test } from '@jest/globals';
import { HOUR_MS, millimes } from '../../../../src/kernel';
import {
  type AgentCaller,
  type CheckResult,
  type ConfirmFault,
  type ConfirmResult,
  driveAgents,
  type DriveAttempt,
  type DriveFaults,
  type DriveOptions,
  planDrive,
  type PlannedPayment,
} from '../../../../src/simulator';
import { summarizeDrive } from '../../../../src/simulator/agent-calls/summarize-drive';

const AGENTS = [{ agentId: 'A-1' }, { agentId: '0042' }, { agentId: 'وكيل-12' }];
const FAULTS: DriveFaults = {
  lostReplyRate: 0.3,
  cutRequestRate: 0.2,
  slowBodyRate: 0.2,
  resendRate: 0.3,
  badTokenRate: 0.3,
  duplicateConcurrentRate: 0.3,
  unknownAgentRate: 0.2,
  badAmountRate: 0.2,
};

const plan = (over: Partial<Parameters<typeof planDrive>[0]> = {}): PlannedPayment[] =>
  planDrive({ agents: AGENTS, payments: 200, seed: 7, faults: FAULTS, ...over });

describe('The plan of a drive', () => {
  test('is the same for the same seed, and different for another seed', () => {
    expect(plan()).toEqual(plan());
    expect(plan({ seed: 8, transactionPrefix: 'X' })).not.toEqual(plan({ transactionPrefix: 'X' }));
  });

  test('begins with the same payments when it is longer', () => {
    expect(plan({ payments: 300 }).slice(0, 200)).toEqual(plan());
  });

  test('keeps the effects of one rate when another rate changes', () => {
    const copies = (payments: readonly PlannedPayment[]): number[] => payments.map((payment) => payment.copies);
    expect(copies(plan({ faults: { ...FAULTS, badTokenRate: 1, lostReplyRate: 0 } }))).toEqual(copies(plan()));
  });

  test('has only valid payments without rates', () => {
    for (const payment of plan({ faults: {} })) {
      expect(payment).toMatchObject({ make: 'good', copies: 1, resend: false });
      expect([payment.tokenFault, payment.firstFault]).toEqual([undefined, undefined]);
      expect(AGENTS).toContainEqual({ agentId: payment.agentId });
      expect(Number.isSafeInteger(payment.amount) && Number(payment.amount) > 0).toBe(true);
    }
  });

  test('has every fault in every payment when its rate is 1', () => {
    const faults = { lostReplyRate: 1, resendRate: 1, badTokenRate: 1, duplicateConcurrentRate: 1, badAmountRate: 1 };
    for (const payment of plan({ faults, expiredToken: 'old' })) {
      expect(payment).toMatchObject({ make: 'bad_amount', resend: true });
      expect(['lose_reply', 'leave_early']).toContain(payment.firstFault);
      expect([2, 3, 4]).toContain(payment.copies);
      expect(['bad_token', 'no_token', { expiredToken: 'old' }]).toContainEqual(payment.tokenFault);
    }
  });

  test('has every kind of payment and fault among many', () => {
    const payments = plan();
    expect(new Set(payments.map(({ make }) => make))).toEqual(new Set(['good', 'unknown_agent', 'bad_amount']));
    expect(new Set(payments.map(({ firstFault }) => firstFault))).toEqual(
      new Set(['lose_reply', 'leave_early', 'cut_request', 'slow_body', undefined]),
    );
  });

  test('uses a separate agent id for a payment to an unknown agent, and a different id for every payment', () => {
    const payments = plan({ faults: { unknownAgentRate: 1 } });
    expect(payments.every(({ agentId }) => agentId.startsWith('nobody-7-'))).toBe(true);
    expect(new Set(payments.map(({ transactionId }) => transactionId)).size).toBe(200);
  });

  test.each([
    ['no agents', { agents: [] }],
    ['a rate above 1', { faults: { resendRate: 1.5 } }],
    ['a rate that is no number', { faults: { resendRate: Number.NaN } }],
    ['half a payment', { payments: 0.5 }],
    ['too many payments', { payments: 100_001 }],
  ])('is refused with %s', (_what, over) => {
    expect(() => plan(over)).toThrow(expect.objectContaining({ code: 'bad_input' }));
  });
});

// Goal: a drive that is abandoned, out of time or without a reachable endpoint starts no further call, and reports it.
// Method: endpoints without a socket that fail on command; a pause that lasts for hours unless the drive is stopped.

const PAYMENTS = 12;
const WORKERS = 8;

const DOWN = { kind: 'not_connected', reason: 'ECONNREFUSED' } as const;
const BROKEN = { kind: 'failed', status: 500, retryAfterMs: undefined } as const;
const THROTTLED = { kind: 'failed', status: 429, retryAfterMs: undefined } as const;
const TIMED_OUT = { kind: 'timed_out' } as const;
const KNOWN: CheckResult = { kind: 'answered', status: 200, body: { code: '0', desc: 'Amira', amount: '0' } };
const STORED: ConfirmResult = { kind: 'answered', status: 200, body: { code: '0' } };

interface Answers {
  readonly check?: () => CheckResult;
  readonly confirm: () => ConfirmResult;
}

function drive({ check = () => KNOWN, confirm }: Answers, more: Partial<DriveOptions> = {}) {
  const caller: AgentCaller = {
    check: async () => check(),
    confirm: async () => confirm(),
    confirmWith: async () => confirm(),
  };
  return driveAgents({
    caller,
    agents: [{ agentId: 'A-1' }],
    payments: PAYMENTS,
    concurrency: WORKERS,
    seed: 7,
    faults: {},
    backoff: { triesMax: 6, firstPauseMs: HOUR_MS, pauseMsMax: HOUR_MS },
    ...more,
  });
}

const noPause = async (): Promise<void> => undefined;

describe('A drive of agents', () => {
  test('sends every payment if no limit stops it', async () => {
    const { summary } = await drive({ confirm: () => STORED }, { timeLimitMs: HOUR_MS });
    expect(summary).toMatchObject({ stopped: undefined, notTried: 0, calls: 2 * PAYMENTS });
    expect(summary.registered).toHaveLength(PAYMENTS);
  });

  test('starts no call after its time limit, and reports payments that may be stored as unknown', async () => {
    const { summary } = await drive({ confirm: () => TIMED_OUT }, { timeLimitMs: 1 });
    expect(summary).toMatchObject({ stopped: 'time_limit', notTried: PAYMENTS - WORKERS, calls: 2 * WORKERS });
    expect(summary.unknown).toHaveLength(WORKERS);
  });

  test('starts no call after its signal was aborted', async () => {
    const left = new AbortController();
    let confirms = 0;
    const confirm = (): ConfirmResult => {
      confirms += 1;
      if (confirms === 3) left.abort();
      return STORED;
    };
    const { summary } = await drive({ confirm }, { signal: left.signal, concurrency: 1 });
    expect(summary).toMatchObject({ stopped: 'caller', notTried: PAYMENTS - 3 });
    expect(summary.registered).toHaveLength(3);
  });

  test('makes no call if its signal is already aborted', async () => {
    const { summary } = await drive({ confirm: () => STORED }, { signal: AbortSignal.abort() });
    expect(summary).toMatchObject({ stopped: 'caller', notTried: PAYMENTS, calls: 0 });
  });

  test.each([
    ['cannot be connected to', DOWN],
    ['answer nothing but 500', BROKEN],
  ])('gives endpoints up that %s', async (_how, result) => {
    const { summary } = await drive({ check: () => result, confirm: () => result });
    expect(summary.stopped).toBe('unreachable');
    expect(summary.notTried).toBe(PAYMENTS - WORKERS);
  });

  test.each([
    ['answered once', BROKEN, () => KNOWN],
    ['only ask for patience', THROTTLED, () => THROTTLED],
  ])('does not give endpoints up that %s', async (_how, result, check) => {
    const { summary } = await drive({ check, confirm: () => result }, { sleep: noPause });
    expect(summary).toMatchObject({ stopped: undefined, notTried: 0 });
  });
});

// Goal: a journal determines which payments are certain, and names every violation of the interface once.
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
const TO_UNKNOWN_AGENT: PlannedPayment = {
  ...HEAD,
  make: 'unknown_agent',
  agentId: 'unknown',
  amount: millimes(5_000),
};
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
    for (const attempt of [
      confirm(code('1'), TO_UNKNOWN_AGENT),
      confirm({ kind: 'not_connected', reason: 'ECONNREFUSED' }),
    ]) {
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
    expect(kinds(check(invalid, TO_UNKNOWN_AGENT), confirm(code('1'), TO_UNKNOWN_AGENT))).toEqual([]);
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
    ['a 0 for an unknown agent', 'wrong_code', [confirm(code('0'), TO_UNKNOWN_AGENT)]],
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
