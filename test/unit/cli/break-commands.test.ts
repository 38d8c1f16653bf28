import { describe, expect, test } from '@jest/globals';
import type { BreakFilter, BreakView, BreakWorkflow } from '../../../src/breaks';
import { filterOf } from '../../../src/cli/break-filter';
import { chosenBreaks } from '../../../src/cli/break-ids';
import { BREAK_CSV, breakRow, breakText } from '../../../src/cli/break-shapes';
import { dayReopenings } from '../../../src/cli/day-reopenings';
import { registerReconcileCommand } from '../../../src/cli/reconcile';
import { businessDate, millimes } from '../../../src/kernel';
import type { ListedSeal, ReplayResult } from '../../../src/reconciliation';
import { breakJson } from '../../../src/shapes/breaks';
import { runCommand } from './support/run-command';

const ONE = '01KAMZ7Q4Y7V6W5X4T3S2R1Q0P';
const TWO = '01KAMZ7Q4Y7V6W5X4T3S2R1Q0Q';

async function* input(text: string): AsyncIterable<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}

/** A desk whose list remembers what was asked of it. */
function listing(asked: BreakFilter[]): BreakWorkflow {
  const list: BreakWorkflow['list'] = ({ after: _after, limit: _limit, ...filter }) => {
    asked.push(filter);
    return Promise.resolve({ rows: [], next: undefined });
  };
  return { list } as BreakWorkflow;
}

const choose = (named: readonly string[], options: Parameters<typeof filterOf>[0] = {}, text = ''): Promise<string[]> =>
  chosenBreaks(listing([]), named, options, input(text));

describe('chosenBreaks', () => {
  test('returns the named breaks', async () => {
    expect(await choose([ONE, TWO])).toEqual([ONE, TWO]);
  });

  test('returns the first word of each line of standard input', async () => {
    expect(await choose(['-'], {}, `${ONE}  2026-03-02  high\r\n\n${TWO},x\n`)).toEqual([ONE, TWO]);
  });

  test('refuses other text on standard input and names its line', async () => {
    await expect(choose(['-'], {}, `${ONE}\n2 breaks\n`)).rejects.toMatchObject({
      code: 'bad_input',
      details: ['line 2: expected a break id first, got "2"'],
    });
  });

  test('returns the breaks that the filter finds', async () => {
    const asked: BreakFilter[] = [];
    await chosenBreaks(listing(asked), [], { class: 'missing_in_bank', overdue: true });
    expect(asked).toEqual([{ classes: ['missing_in_bank'], overdueOnly: true }]);
  });

  test('refuses no choice and two ways to choose', async () => {
    await expect(choose([])).rejects.toMatchObject({ code: 'bad_input' });
    await expect(choose([ONE], { overdue: true })).rejects.toMatchObject({ code: 'bad_input' });
  });
});

describe('filterOf', () => {
  test('returns no filter without options', () => {
    expect(filterOf({})).toBeUndefined();
  });

  test('converts each option to a filter', () => {
    expect(
      filterOf({
        class: 'missing_in_bank, pos_unknown',
        status: 'open,assigned',
        severity: 'high',
        minAmount: '1000',
        since: '2026-03-02',
        unassigned: true,
      }),
    ).toEqual({
      classes: ['missing_in_bank', 'pos_unknown'],
      statuses: ['open', 'assigned'],
      severities: ['high'],
      minAmount: 1_000,
      since: '2026-03-02',
      assignee: null,
    });
  });

  test.each([
    [{ class: 'nothing' }, '--class'],
    [{ class: 'missing_in_bank,' }, '--class'],
    [{ status: 'closed' }, '--status'],
    [{ severity: 'urgent' }, '--severity'],
    [{ minAmount: '0' }, '--min-amount'],
    [{ since: '2026-02-30' }, '--since'],
    [{ assignee: 'leila', unassigned: true as const }, '--assignee'],
  ])('refuses %j and names the option', (options, name) => {
    expect(() => filterOf(options)).toThrow(name);
  });
});

const aBreakView = (amount: number | undefined, writtenOff: number): BreakView => ({
  ...{ id: 'B1', fingerprint: 'items', breakClass: 'missing_in_bank', status: 'open', version: 3 },
  ...{ since: businessDate('2026-03-02'), dueOn: businessDate('2026-03-09'), severity: 'high', ageDays: 2 },
  ...{ isOverdue: false, openedAt: 0, resolvedAt: undefined, resolution: undefined },
  ...{ assignee: undefined, proposalId: undefined, subject: { itemIds: [], lineIds: [], facts: {} } },
  amount: amount === undefined ? undefined : millimes(amount),
  direction: amount === undefined ? 'unknown' : amount < 0 ? 'bank_has_more' : 'books_have_more',
  writtenOff: millimes(writtenOff),
});

test.each<[number | undefined, number, number | null]>([
  [7_777_777, 1_000_000, 6_777_777],
  [7_777_777, 0, 7_777_777],
  [-3_000, -1_000, -2_000],
  [undefined, 0, null],
])('prints for an amount of %p with %p written off the part that is left', (amount, writtenOff, left) => {
  const each = aBreakView(amount, writtenOff);
  const size = amount === undefined ? null : Math.abs(amount);
  const told = {
    amountMillimes: amount ?? null,
    sizeMillimes: size,
    direction: each.direction,
    writtenOffMillimes: writtenOff,
    leftMillimes: left,
  };
  expect(breakJson(each)).toMatchObject(told);
  const cells = Object.fromEntries(BREAK_CSV.map(([heading, field]) => [heading, field(each)]));
  expect(cells).toMatchObject({ written_off_millimes: writtenOff, left_millimes: left ?? '' });
});

test('prints the written-off and the open amount in text', () => {
  expect(breakText(aBreakView(7_777_777, 0))).toMatch(/due 2026-03-09$/);
  expect(breakText(aBreakView(7_777_777, 1_000_000))).toMatch(
    /7 777,777 DT {2}ledger has more {2}2 days, due 2026-03-09 {2}\(1 000,000 DT written off, 6 777,777 DT left\)$/,
  );
  expect(breakText(aBreakView(-3_000, -1_000))).toMatch(
    / 3,000 DT {2}bank has more {4}2 days, due 2026-03-09 {2}\(1,000 DT written off, 2,000 DT left\)$/,
  );
});

test('names the written-off amount in a list, which has no headings in a pipe', () => {
  expect(breakRow(aBreakView(7_777_777, 1_000_000)).at(-1)).toBe('1 000,000 DT written off, 6 777,777 DT left');
  expect(breakRow(aBreakView(7_777_777, 0)).at(-1)).toBe('');
});

const date = businessDate('2026-03-02');
const proposal = { number: 1, reason: 'a late receipt', proposedBy: 'leila', proposedAt: 5 };
const CLOSED: ListedSeal = {
  ...{ number: 1, kind: 'closed', date, stands: true, digest: 'd', recordedAt: 1, recordedBy: 'karim', proposal },
};

test('lists a proposal to reopen a day with the command that approves it', () => {
  expect(dayReopenings([CLOSED])).toMatchObject([
    {
      subject: 'day:2026-03-02',
      proposedBy: 'leila',
      reason: 'a late receipt',
      action: { kind: 'reopen_day', payload: { approveBy: 'close-day 2026-03-02 --reopen --approve' } },
      decision: undefined,
    },
  ]);
});

test('lists no proposal for a reopened day or a day without a proposal', () => {
  expect(
    dayReopenings([
      { ...CLOSED, stands: false },
      { ...CLOSED, proposal: undefined },
    ]),
  ).toEqual([]);
});

// Goal: a repeated run never passes as one of another day or as a dry run: options that --replay ignores are refused.
// Method: the command itself, on a room that repeats every run.

const RUN = '0'.repeat(26);
const DIGESTS = { engineVersion: '1', answerDigest: '00' };
const REPLAYED: ReplayResult = {
  runId: RUN,
  through: businessDate('2026-03-02'),
  isSame: true,
  differsIn: [],
  recorded: DIGESTS,
  repeated: DIGESTS,
};

function replaying(...options: readonly string[]): ReturnType<typeof runCommand> {
  const replay = async (): Promise<ReplayResult> => REPLAYED;
  return runCommand(registerReconcileCommand, { reconciliation: { replay } }, [
    'reconcile',
    '--replay',
    RUN,
    ...options,
  ]);
}

test('repeats a run through its own day', async () => {
  expect((await replaying()).lines).toEqual([`run ${RUN} through 2026-03-02: same result`]);
});

test.each([
  ['another day', ['--through', '2026-01-31']],
  ['a dry run', ['--dry-run']],
])('refuses --replay with %s', async (_, options) => {
  await expect(replaying(...options)).rejects.toMatchObject({
    code: 'bad_input',
    message:
      '--replay: cannot be combined with --through or --dry-run; it repeats a run through its own day and stores nothing',
  });
});
