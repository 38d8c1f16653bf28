import { expect, test } from '@jest/globals';
import { businessCalendar, businessDate, noticeLine } from '../../../../src/kernel';
import {
  CLOSE_MARGIN_MS,
  type ClosingFacts,
  closingObstacles,
  standingSealOf,
} from '../../../../src/reconciliation/closing/closing-obstacles';
import type { SealHead } from '../../../../src/reconciliation/closing/seal-chain';

const MONDAY = businessDate('2026-03-02');
const TUESDAY = businessDate('2026-03-03');
const DAY_END = 1_000_000;
const CALENDAR = businessCalendar('Africa/Tunis');

const RECONCILED = { isCovered: true, isUnfinished: false, unreadDates: [], furthest: TUESDAY };
const WAITING = { id: 'S1', account: 'A' };

const obstaclesTo = (date: typeof MONDAY, given: ClosingFacts): string[] =>
  closingObstacles(date, given, CALENDAR).map(noticeLine);

const head = (number: number, change: Partial<SealHead> = {}): SealHead => ({
  ...{ number, kind: 'closed', date: MONDAY, reopens: undefined, digest: '0'.repeat(64) },
  ...{ recordedAt: DAY_END, recordedBy: 'test' },
  ...change,
});

const facts = (change: Partial<ClosingFacts> = {}): ClosingFacts => ({
  chain: [],
  dayEnd: DAY_END,
  now: DAY_END + CLOSE_MARGIN_MS,
  reconciled: RECONCILED,
  waiting: [],
  coverage: new Map([['ACCOUNT', TUESDAY]]),
  reason: undefined,
  ...change,
});

test('accepts any day as the first one', () => {
  expect(obstaclesTo(MONDAY, facts())).toEqual([]);
  expect(obstaclesTo(TUESDAY, facts())).toEqual([]);
});

test.each<[string, ClosingFacts, string]>([
  [
    'a minute has not passed since its end',
    facts({ now: DAY_END + CLOSE_MARGIN_MS - 1 }),
    'can be closed from 1970-01-01 01:17:40',
  ],
  [
    'no run has looked at it',
    facts({ reconciled: { ...RECONCILED, isCovered: false } }),
    'millime reconcile --through 2026-03-03',
  ],
  [
    'a run is unfinished',
    facts({ reconciled: { ...RECONCILED, isUnfinished: true } }),
    'a run is unfinished; run "millime reconcile --through 2026-03-03"',
  ],
  [
    'a line was posted after the run',
    facts({ reconciled: { ...RECONCILED, unreadDates: [MONDAY] } }),
    'after the last run (1 line, 2026-03-02); run "millime reconcile --through 2026-03-03"',
  ],
  [
    'lines were posted after the run, and a later run has covered more days',
    facts({ reconciled: { ...RECONCILED, unreadDates: [MONDAY, TUESDAY], furthest: businessDate('2026-03-09') } }),
    '(2 lines, 2026-03-02 to 2026-03-03); run "millime reconcile --through 2026-03-09"',
  ],
  [
    'a statement waits',
    facts({ waiting: [WAITING], reason: 'a reason does not decide on it' }),
    'statement S1 of account A waits for a decision; run "millime statements accept S1 --reason ..." or',
  ],
  ['there is no statement', facts({ coverage: new Map() }), 'no statement covers it'],
  ['one account is behind', facts({ coverage: new Map([['A', MONDAY]]) }), 'the statements of A end on 2026-03-02'],
  ['a day before is open', facts({ chain: [head(1, { date: businessDate('2026-03-01') })] }), '2026-03-02 must be'],
  [
    'later days are closed',
    facts({ chain: [head(1, { date: businessDate('2026-03-05') })] }),
    'the ledger is already closed through 2026-03-05',
  ],
])('a day is not closed while %s', (_why, given, obstacle) => {
  expect(obstaclesTo(TUESDAY, given)).toEqual([expect.stringContaining(obstacle)]);
});

test('names five waiting statements, and the number of the others', () => {
  const found = obstaclesTo(TUESDAY, facts({ waiting: Array.from({ length: 7 }, () => WAITING) }));
  expect(found).toHaveLength(6);
  expect(found[5]).toBe('2 further statements waiting; run "millime statements list --waiting"');
});

test('accepts a reason for a missing statement, and for nothing else', () => {
  const given = facts({
    coverage: new Map(),
    reconciled: { ...RECONCILED, isCovered: false },
    reason: 'the bank is late',
  });
  expect(obstaclesTo(TUESDAY, given)).toHaveLength(1);
});

test('ignores a reversed closing: its day is the next one to close', () => {
  const chain = [head(1), head(2, { kind: 'reopened', reopens: 1 })];
  expect(standingSealOf(chain, MONDAY)).toBeUndefined();
  expect(obstaclesTo(MONDAY, facts({ chain }))).toEqual([]);
  expect(standingSealOf([...chain, head(3)], MONDAY)?.number).toBe(3);
});
