import { removeExpiredAnswers } from './api';
import type { Millime } from './compose';
import { jobActor } from './identity';
import { addDays, formatInstant, type Instant, MINUTE_MS } from './kernel';
import { type Job, lastGoodWindow, startScheduler, type Worker } from './scheduler';

/** A run reads this number of days of QR history before the last successful run. */
const QR_HISTORY_DAYS = 3;
/** The limit on the days of QR history, however long ago the last run succeeded. */
const QR_HISTORY_DAYS_MAX = 90;

/** For jobs that depend on the present only: one run replaces all missed ones, and the runs of an hour are stored. */
const EVERY_MINUTE = { cron: '* * * * *', leaseMs: MINUTE_MS, catchUpMax: 1, keptRuns: 60 } as const;

/** Returns every job with its schedule. Times are in the business time zone. */
export function jobsOf(millime: Millime): readonly Job[] {
  const { reconciliation, calendar, serviceTokens, statements, database, identity, notifications } = millime;
  return [
    ...gatewayJobsOf(millime),
    {
      name: 'reconcile',
      cron: '30 6 * * *',
      leaseMs: 30 * MINUTE_MS,
      async run(window, signal) {
        const through = addDays(calendar.dateOf(window), -1);
        await reconciliation.run({ through, actor: jobActor('reconcile'), dryRun: false, signal });
      },
    },
    {
      name: 'token-expiry',
      cron: '0 7 * * *',
      leaseMs: MINUTE_MS,
      run: () => serviceTokens.warnOfExpiry(),
    },
    {
      name: 'notifications',
      ...EVERY_MINUTE,
      run: (_window, signal) => eachInTurn(signal, [() => notifications.observe(), () => notifications.send(signal)]),
    },
    {
      name: 'expired-answers',
      cron: '40 * * * *',
      leaseMs: 5 * MINUTE_MS,
      catchUpMax: 1,
      keptRuns: 48,
      run: (_window, signal) => removeExpiredAnswers(database, signal),
    },
    {
      name: 'expired-uploads',
      cron: '40 * * * *',
      leaseMs: 5 * MINUTE_MS,
      catchUpMax: 1,
      keptRuns: 48,
      run: (_window, signal) => statements.uploads.removeExpired(signal),
    },
    {
      name: 'ended-sessions',
      cron: '50 * * * *',
      leaseMs: 5 * MINUTE_MS,
      catchUpMax: 1,
      keptRuns: 48,
      run: (_window, signal) => identity.sessions.removeEnded(signal),
    },
  ];
}

/** Returns the jobs that need the gateway, if it is configured. */
function gatewayJobsOf(millime: Millime): readonly Job[] {
  const { config, database, paymentChannels, payments, subscriptions } = millime;
  const { gateway } = config;
  if (gateway === undefined) return [];
  const jobs: Job[] = [
    {
      name: 'poll',
      ...EVERY_MINUTE,
      run: (_window, signal) => eachInTurn(signal, [() => payments.poll(signal), () => subscriptions.poll(signal)]),
    },
    {
      name: 'send-requested',
      ...EVERY_MINUTE,
      run: (_window, signal) =>
        eachInTurn(signal, [
          () => payments.resolveStaleRequests(),
          () => payments.sendRequested(signal),
          () => subscriptions.sendRequested(signal),
        ]),
    },
  ];
  if (gateway.apiKey !== undefined && gateway.merchantId !== undefined) {
    const name = 'qr-history';
    jobs.push({
      name,
      cron: '20 3 * * *',
      leaseMs: 10 * MINUTE_MS,
      async run(window) {
        const lastGood = await lastGoodWindow(database, name);
        await paymentChannels.readQrHistory({ from: qrHistoryFrom(millime, window, lastGood), until: window });
      },
    });
  }
  return jobs;
}

/** Returns the first day that no successful run has read completely, so that failed runs lose no payment. */
function qrHistoryFrom({ calendar, logger }: Millime, window: Instant, lastGood: Instant = window): Instant {
  const daysBefore = (instant: Instant, days: number): Instant =>
    calendar.startOf(addDays(calendar.dateOf(instant), -days));
  const from = daysBefore(Math.min(window, lastGood), QR_HISTORY_DAYS);
  const earliest = daysBefore(window, QR_HISTORY_DAYS_MAX);
  if (from >= earliest) return from;
  const fields = { event: 'jobs.qr_history_cut', wanted: formatInstant(from), from: formatInstant(earliest) };
  logger.warn('older QR history skipped', fields);
  return earliest;
}

/** Returns the workers that process rows as they arrive. */
export function workersOf({ config, webhooks }: Millime): readonly Worker[] {
  // Without the gateway no status can be checked, so earlier webhooks wait.
  if (config.gateway === undefined) return [];
  return [{ name: 'webhooks', run: (signal) => webhooks.processInbox(signal) }];
}

export function startJobs(millime: Millime): { stop(): Promise<void> } {
  const { database, clock, calendar, logger, config } = millime;
  const clockJumps = config.clockFile !== undefined;
  return startScheduler({ database, clock, calendar, logger, clockJumps }, jobsOf(millime), workersOf(millime));
}

/**
 * Runs every step even if an earlier one failed, because a fault of payments must not block subscriptions. Throws the
 * first error at the end; after `signal` is aborted, immediately.
 */
async function eachInTurn(signal: AbortSignal, steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    signal.throwIfAborted();
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  signal.throwIfAborted();
  if (errors.length > 0) throw errors[0];
}
