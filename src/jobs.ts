import type { Millime } from './compose';
import { jobActor } from './identity';
import { addDays, formatInstant, type Instant, MINUTE_MS } from './kernel';
import { type Job, lastGoodWindow, startScheduler, type Worker } from './scheduler';

/** The QR history is read so far back, from the last run that succeeded. */
const QR_HISTORY_DAYS = 3;
/** It is not read from further back, however long no run has succeeded. */
const QR_HISTORY_DAYS_MAX = 90;

/** What looks at the present only: one run makes up for all that were missed, and an hour of them tells enough. */
const EVERY_MINUTE = { cron: '* * * * *', leaseMs: MINUTE_MS, catchUpMax: 1, keptRuns: 60 } as const;

/** Every schedule, in one table. Times are in the business time zone. */
export function jobsOf(millime: Millime): readonly Job[] {
  const { reconciliation, calendar, serviceTokens } = millime;
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
  ];
}

/** What needs the gateway, when there is one. */
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

/** Every day that no run which succeeded has read whole, so that failed runs lose no payment. */
function qrHistoryFrom({ calendar, logger }: Millime, window: Instant, lastGood: Instant = window): Instant {
  const daysBefore = (instant: Instant, days: number): Instant =>
    calendar.startOf(addDays(calendar.dateOf(instant), -days));
  const from = daysBefore(Math.min(window, lastGood), QR_HISTORY_DAYS);
  const earliest = daysBefore(window, QR_HISTORY_DAYS_MAX);
  if (from >= earliest) return from;
  const fields = { event: 'jobs.qr_history_cut', wanted: formatInstant(from), from: formatInstant(earliest) };
  logger.warn('the QR history has not been read for longer than it is read back: what came before is left out', fields);
  return earliest;
}

/** What works rows off as they come. */
export function workersOf({ config, webhooks }: Millime): readonly Worker[] {
  // Without the gateway nothing could be looked at: what came before it was switched off waits.
  if (config.gateway === undefined) return [];
  return [{ name: 'webhooks', run: (signal) => webhooks.processInbox(signal) }];
}

export function startJobs(millime: Millime): { stop(): Promise<void> } {
  const { database, clock, calendar, logger, config } = millime;
  const clockJumps = config.clockFile !== undefined;
  return startScheduler({ database, clock, calendar, logger, clockJumps }, jobsOf(millime), workersOf(millime));
}

/**
 * Runs every step although one before it failed: a fault of payments must not hold subscriptions up for ever. The first
 * error is thrown in the end; when the job is asked to leave, at once.
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
