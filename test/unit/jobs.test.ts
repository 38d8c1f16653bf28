import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { compose, type Millime } from '../../src/compose';
import { loadConfig } from '../../src/config';
import { jobsOf, workersOf } from '../../src/jobs';
import type { Instant } from '../../src/kernel';
import { silentLogger } from '../../src/logging';
import type { Job } from '../../src/scheduler';
import { recordingLogger } from '../support/fakes';

// Goal: the table of jobs contains the configured jobs, and a run of each does its parts.
// Method: the real rooms, composed and never opened; recorders replace the use cases that a job calls.

const GATEWAY = {
  GATEWAY_BASE_URL: 'http://127.0.0.1:1',
  GATEWAY_PUBLIC_KEY: 'pk_test',
  GATEWAY_PRIVATE_KEY: 'sk_test',
  HINT_TOKEN: 'a-token-of-24-characters',
};
const QR = { GATEWAY_API_KEY: 'ak_test', GATEWAY_MERCHANT_ID: '42' };
const WINDOW = Date.parse('2026-03-05T03:20:00+01:00');

const folder = mkdtempSync(join(tmpdir(), 'millime-jobs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DATABASE_URL = `sqlite:${join(folder, 'none.sqlite3')}`;

const composed = (environment: Readonly<Record<string, string>>): Millime =>
  compose(loadConfig({ DATABASE_URL, ...environment }), silentLogger);

const jobOf = (millime: Millime, name: string): Job => {
  const found = jobsOf(millime).find((job) => job.name === name);
  if (found === undefined) throw new Error(`there is no job ${name}`);
  return found;
};

const run = (job: Job, signal = new AbortController().signal): Promise<void> =>
  job.run(WINDOW, signal, { requireHeld: async () => undefined });

describe('the table of jobs', () => {
  const names = (environment: Readonly<Record<string, string>>): string[][] => {
    const millime = composed(environment);
    return [jobsOf(millime).map(({ name }) => name), workersOf(millime).map(({ name }) => name)];
  };

  test('has no gateway job without a configured gateway', () => {
    expect(names({})).toEqual([
      ['reconcile', 'token-expiry', 'notifications', 'expired-answers', 'expired-uploads', 'ended-sessions'],
      [],
    ]);
  });

  test('checks payments and sends requests with a configured gateway', () => {
    const [jobs, workers] = names(GATEWAY);
    expect(jobs).toEqual([
      'poll',
      'send-requested',
      'reconcile',
      'token-expiry',
      'notifications',
      'expired-answers',
      'expired-uploads',
      'ended-sessions',
    ]);
    expect(workers).toEqual(['webhooks']);
  });

  test('reads the QR history if it is enabled', () => {
    expect(names({ ...GATEWAY, ...QR })[0]).toContain('qr-history');
    expect(names({ ...GATEWAY, GATEWAY_API_KEY: 'ak_test' })[0]).not.toContain('qr-history');
  });

  test('repeats one missed window of a job that runs every minute, and keeps an hour of its runs', () => {
    const millime = composed(GATEWAY);
    for (const name of ['poll', 'send-requested', 'notifications']) {
      expect(jobOf(millime, name)).toMatchObject({ cron: '* * * * *', catchUpMax: 1, keptRuns: 60 });
    }
  });
});

describe('A run of a job', () => {
  const noted: string[] = [];
  const noting = (name: string, fails = false) =>
    async function note(): Promise<never> {
      noted.push(name);
      if (fails) throw new Error(`${name} failed`);
      return undefined as never;
    };
  const millimeWith = (failing: readonly string[], asked: unknown[] = []): Millime => {
    noted.length = 0;
    const millime = composed({ ...GATEWAY, ...QR });
    const note = (name: string): (() => Promise<never>) => noting(name, failing.includes(name));
    return {
      ...millime,
      payments: {
        ...millime.payments,
        poll: note('payments.poll'),
        resolveStaleRequests: note('payments.settle'),
        sendRequested: note('payments.send'),
      },
      paymentChannels: {
        ...millime.paymentChannels,
        readQrHistory: async (window: { from: Instant; until: Instant }) => asked.push(window),
      },
      subscriptions: {
        ...millime.subscriptions,
        poll: note('subscriptions.poll'),
        sendRequested: note('subscriptions.send'),
      },
    };
  };

  const withLastGood = (millime: Millime, lastGood: string | undefined) => {
    const logger = recordingLogger();
    const read = async (): Promise<never> => (lastGood === undefined ? undefined : Date.parse(lastGood)) as never;
    return { millime: { ...millime, logger, database: { ...millime.database, read } }, logger };
  };

  test('checks payments, then subscriptions, in the poll', async () => {
    await run(jobOf(millimeWith([]), 'poll'));
    expect(noted).toEqual(['payments.poll', 'subscriptions.poll']);
  });

  test('resolves unanswered requests before it sends the queue', async () => {
    await run(jobOf(millimeWith([]), 'send-requested'));
    expect(noted).toEqual(['payments.settle', 'payments.send', 'subscriptions.send']);
  });

  test('checks subscriptions even if payments failed, and fails with the first error', async () => {
    const poll = jobOf(millimeWith(['payments.poll', 'subscriptions.poll']), 'poll');
    await expect(run(poll)).rejects.toThrow('payments.poll failed');
    expect(noted).toEqual(['payments.poll', 'subscriptions.poll']);
  });

  test('starts no further part after a stop request', async () => {
    const stop = new AbortController();
    stop.abort(new Error('the process stops'));
    await expect(run(jobOf(millimeWith([]), 'poll'), stop.signal)).rejects.toThrow('the process stops');
    expect(noted).toEqual([]);
  });

  test.each([
    ['the three days before, whole, when it never ran', undefined, '2026-03-02'],
    ['three days more than were read before', '2026-03-04T03:20:00+01:00', '2026-03-01'],
    ['what all the runs that failed did not, from three days before the last good one', '2026-02-20', '2026-02-17'],
    ['ninety days at most', '2025-12-05', '2025-12-05'],
  ])('reads the QR history %s', async (_what, lastGood, from) => {
    const asked: unknown[] = [];
    const { millime, logger } = withLastGood(millimeWith([], asked), lastGood);
    await run(jobOf(millime, 'qr-history'));
    expect(asked).toEqual([{ from: Date.parse(`${from}T00:00:00+01:00`), until: WINDOW }]);
    expect(logger.events('jobs.qr_history_cut')).toHaveLength(from === '2025-12-05' ? 1 : 0);
  });
});
