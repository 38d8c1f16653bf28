import { openBreakStore } from '../../../src/breaks';
import { type Database } from '../../../src/db';
import { type Actor, createIdentity, type Identity, OPERATOR, type Role, scopesOfRoles } from '../../../src/identity';
import { businessCalendar, businessDate, millimes } from '../../../src/kernel';
import { createNotifications, type Notifications } from '../../../src/notifications';
import type { TokenExpiry } from '../../../src/service-tokens';
import { type FixedClock, fixedClock, recordingLogger } from '../../support/fakes';
import { aBreak, workflowBench } from '../breaks/workflow-bench';

export const SECRET = 'c2Vydmlldi1jaXRyb24tZmVuZXRyZS1hYnJpY290';
const TIME_ZONE = 'Africa/Tunis';

export interface Bench {
  readonly notifications: Notifications;
  readonly clock: FixedClock;
  readonly identity: Identity;
  readonly logger: ReturnType<typeof recordingLogger>;
  /** The users act by their present roles. */
  user(name: string, roles: readonly Role[]): Promise<Actor>;
  /** Opens breaks of high severity and returns their ids. */
  openHigh(...fingerprints: string[]): Promise<string[]>;
  resolveHigh(id: string): Promise<void>;
  reopenHigh(id: string, fingerprint: string): Promise<void>;
  endJob(window: number, status: 'done' | 'failed'): Promise<void>;
  tokens: TokenExpiry;
}

export interface BenchOptions {
  readonly mailPort?: number;
  readonly tls?: 'none' | 'required';
  readonly secrets?: readonly string[];
  readonly allowsPrivateAddresses?: boolean;
}

/** Notifications on one database, with what they are about. */
export function notificationBench(database: Database, options: BenchOptions = {}): Bench {
  const clock = fixedClock('2026-03-03T09:00:00+01:00');
  const logger = recordingLogger();
  const calendar = businessCalendar(TIME_ZONE);
  const identity = createIdentity({ database, clock, logger, passwordCost: 4 });
  const { workflow } = workflowBench(database);
  const { mailPort, tls = 'none', secrets = [SECRET], allowsPrivateAddresses = true } = options;
  const server = { host: '127.0.0.1', port: mailPort ?? 9, tls, user: undefined, password: undefined };
  const high = (fingerprint: string) => aBreak(fingerprint, { amount: millimes(2_500_000), since: SINCE });
  const bench: Bench = {
    ...{ clock, identity, logger },
    tokens: { state: 'never_minted' },
    notifications: createNotifications({
      ...{ database, clock, calendar, logger, timeZone: TIME_ZONE },
      settings: {
        consoleUrl: 'https://millime.example/console',
        mail: mailPort === undefined ? undefined : { server, from: 'millime@bank.example' },
        ...{ secrets, allowsPrivateAddresses },
      },
      highBreaks: () => workflow.high(),
      tokenExpiry: () => Promise.resolve(bench.tokens),
    }),
    async user(name, roles) {
      await identity.users.create({ name, fullName: name, roles, actor: OPERATOR, dryRun: false });
      const { userId } = await identity.users.find(name);
      return { kind: 'user', name, userId, scopes: scopesOfRoles(roles) };
    },
    async openHigh(...fingerprints) {
      return database.transact(async (session) => {
        const store = openBreakStore(session);
        await store.open(fingerprints.map(high), clock.now(), 'test');
        const found = await store.byFingerprint(fingerprints);
        return fingerprints.map((each) => found.get(each)?.id ?? '');
      });
    },
    resolveHigh: (id) =>
      database.transact(async (session) => {
        await openBreakStore(session).resolve(id, 'disappeared', clock.now(), 'test');
      }),
    reopenHigh: (id, fingerprint) =>
      database.transact(async (session) => {
        await openBreakStore(session).reopen(id, high(fingerprint), clock.now(), 'test');
      }),
    endJob: (window, status) =>
      database.transact(async (session) => {
        const times = { lease_until: 0, started_at: window, finished_at: window };
        const row = { name: 'reconcile', window_at: window, status, fencing: 1, error: '', ...times };
        await session('job_runs').insert(row);
      }),
  };
  return bench;
}

const SINCE = businessDate('2026-03-02');
