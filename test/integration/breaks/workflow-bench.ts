import {
  type BreakWorkflow,
  createBreakWorkflow,
  type DecideHandlers,
  type NewBreak,
  openBreakStore,
} from '../../../src/breaks';
import { loadConfig } from '../../../src/config';
import type { Database } from '../../../src/db';
import { type Actor, type Scope, SCOPES } from '../../../src/identity';
import { businessCalendar, businessDate, millimes, WorkingDays } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { type FixedClock, fixedClock } from '../../support/fakes';

/** A person with a key of his own; with every right unless said otherwise. */
export function person(name: string, scopes: readonly Scope[] = SCOPES): Actor {
  return { kind: 'api_key', name, keyId: name.padEnd(26, '0').toUpperCase(), scopes: new Set(scopes) };
}

export const LEILA = person('leila');
export const OMAR = person('omar');

export function aBreak(fingerprint: string, more: Partial<NewBreak> = {}): NewBreak {
  return {
    fingerprint,
    breakClass: 'missing_in_bank',
    since: businessDate('2026-03-02'),
    amount: millimes(50_000),
    direction: 'books_have_more',
    subject: { itemIds: [], lineIds: [], facts: {} },
    ...more,
  };
}

/** The desk on one database and one clock, and short ways to use it. */
export interface WorkflowBench {
  readonly clock: FixedClock;
  readonly workflow: BreakWorkflow;
  /** Opens a break, and gives its id. */
  open(given: NewBreak): Promise<string>;
  /** What a run does that does not find a break any more. */
  disappear(id: string): Promise<boolean>;
  /** The kinds of what happened to a break, in order. */
  steps(id: string): Promise<string[]>;
}

export function workflowBench(database: Database, handlers: DecideHandlers = {}): WorkflowBench {
  const clock = fixedClock('2026-03-04T10:00:00+01:00');
  const workflow = createBreakWorkflow({
    database,
    clock,
    calendar: businessCalendar('Africa/Tunis'),
    workingDays: new WorkingDays([]),
    logger: silentLogger,
    settings: loadConfig({}).breakUrgency,
    handlers,
  });
  return {
    clock,
    workflow,
    open: (given) =>
      database.transact(async (session) => {
        const store = openBreakStore(session);
        await store.open([given], clock.now(), 'run:1');
        const opened = (await store.byFingerprint([given.fingerprint])).get(given.fingerprint);
        if (opened === undefined) throw new Error('the break was opened');
        return opened.id;
      }),
    disappear: (id) =>
      database.transact((session) =>
        openBreakStore(session).resolve(id, 'disappeared', clock.now(), 'run:2', { run: '2' }),
      ),
    steps: async (id) => (await workflow.show(id)).history.map(({ kind }) => kind),
  };
}
