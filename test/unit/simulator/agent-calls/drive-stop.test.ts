import { describe, expect, test } from '@jest/globals';
import {
  type AgentCaller,
  type CheckResult,
  type ConfirmResult,
  driveAgents,
  type DriveOptions,
} from '../../../../src/simulator';

// Goal: a drive that nobody waits for, whose time is up or that reaches nobody starts nothing more, and says so.
// Method: endpoints without a socket that fail as told; a pause that lasts for hours unless the drive is stopped.

const HOUR_MS = 3_600_000;
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
