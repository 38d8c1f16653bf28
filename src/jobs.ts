import type { Millime } from './compose';
import { jobActor } from './identity';
import { addDays } from './kernel';
import { startScheduler, type Job } from './scheduler';

const MS_PER_MINUTE = 60_000;

/** Every schedule, in one table. Times are in the business time zone. */
export function jobsOf({ reconciliation, calendar, serviceTokens }: Millime): readonly Job[] {
  return [
    {
      name: 'reconcile',
      cron: '30 6 * * *',
      leaseMs: 30 * MS_PER_MINUTE,
      async run(window, signal) {
        const through = addDays(calendar.dateOf(window), -1);
        await reconciliation.run({ through, actor: jobActor('reconcile'), dryRun: false, signal });
      },
    },
    {
      name: 'token-expiry',
      cron: '0 7 * * *',
      leaseMs: MS_PER_MINUTE,
      run: () => serviceTokens.warnOfExpiry(),
    },
  ];
}

export function startJobs(millime: Millime): { stop(): Promise<void> } {
  const { database, clock, calendar, logger, config } = millime;
  const clockJumps = config.clockFile !== undefined;
  return startScheduler({ database, clock, calendar, logger, clockJumps }, jobsOf(millime));
}
