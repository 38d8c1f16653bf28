import { z } from 'zod';
import type { JobState } from '../scheduler';
import { instantJson, instantValue } from './values';

/** How far a job is. */
export const jobState = z
  .strictObject({
    name: z.string().meta({ example: 'reconcile' }),
    schedule: z.string().nullable().meta({
      description: 'Minute, hour, day, month and weekday in the business time zone; null if it no longer runs.',
      example: '30 6 * * *',
    }),
    lastWindow: instantValue.nullable().meta({ description: 'The last window that ended.' }),
    lastOutcome: z.enum(['done', 'failed']).nullable(),
    lastFinishedAt: instantValue.nullable().meta({ description: "By the database's clock." }),
    lastError: z.string().nullable(),
    runningWindow: instantValue.nullable(),
    lagMs: z.int().nullable().meta({
      description: 'The age of the oldest window that is due and has not ended; null if the job never ran.',
    }),
  })
  .meta({ id: 'JobState' });

/** Returns the state of a job as JSON. */
export function jobStateJson(state: JobState): z.input<typeof jobState> {
  const { name, cron, ended, running, lagMs } = state;
  return {
    name,
    schedule: cron ?? null,
    lastWindow: instantJson(ended?.window),
    lastOutcome: ended?.outcome ?? null,
    lastFinishedAt: instantJson(ended?.finishedAt),
    lastError: ended?.error ?? null,
    runningWindow: instantJson(running),
    lagMs: lagMs ?? null,
  };
}

/** What `doctor` reports about an installation. */
export const diagnosis = z
  .strictObject({
    ok: z.boolean().meta({ description: 'Whether no problem was found.' }),
    database: z.enum(['sqlite', 'mariadb']),
    databaseTls: z.string(),
    pendingMigrations: z.array(z.string()).nullable(),
    businessTimeZone: z.string(),
    businessNow: z.string(),
    connectionsMax: z.int().meta({ description: 'Of the process that answers.' }),
    features: z.record(z.string(), z.string()),
    jobs: z.record(z.string(), z.string()).meta({ description: 'The last ended window of each job.' }),
    notes: z.array(z.string()),
    tokenExpiresAt: z.string().nullable(),
    warnings: z.array(z.string()),
    problems: z.array(z.string()),
  })
  .meta({ id: 'Diagnosis' });

export type Diagnosis = z.input<typeof diagnosis>;
