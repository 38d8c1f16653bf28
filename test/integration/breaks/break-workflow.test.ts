// Goal: each action of a person on a break is stored with actor, time and reason, and no person overwrites another's.
import { beforeEach, expect, test } from '@jest/globals';
import { type BreakFilter, forEachBreak } from '../../../src/breaks';
import { rowsOf } from '../../../src/db';
import { OPERATOR } from '../../../src/identity';
import { businessDate, millimes } from '../../../src/kernel';
import { describeOnEachDatabase } from '../../support/db';
import { contents } from '../ledger/row-counts';
import { aBreak, LEILA, OMAR, person, type WorkflowBench, workflowBench } from './workflow-bench';

const UNKNOWN_ID = '00000000000000000000000000';

describeOnEachDatabase('the break desk', (harness) => {
  let bench: WorkflowBench;

  beforeEach(() => {
    bench = workflowBench(harness.database);
  });

  const unchangedBy = async (work: () => Promise<unknown>, code: string): Promise<void> => {
    const before = await contents(harness.database);
    await expect(work()).rejects.toMatchObject({ code });
    expect(await contents(harness.database)).toEqual(before);
  };

  test('shows a break with its severity, age, due date, assignee and version', async () => {
    const id = await bench.open(aBreak('f', { amount: millimes(100_000) }));
    const { breakView, proposals } = await bench.workflow.show(id);
    expect(breakView).toMatchObject({
      id,
      severity: 'medium',
      ageDays: 1,
      dueOn: '2026-03-11',
      isOverdue: false,
      assignee: undefined,
      proposalId: undefined,
      version: 1,
    });
    expect(proposals).toEqual([]);
    await expect(bench.workflow.show(UNKNOWN_ID)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('assigns a break to one person, then to another, and records the actor', async () => {
    const id = await bench.open(aBreak('f'));
    expect(await bench.workflow.assign({ id, assignee: 'salma', actor: LEILA })).toBe('done');
    bench.clock.advance(1_000);
    expect(await bench.workflow.assign({ id, assignee: 'Omar B.', actor: OPERATOR })).toBe('done');
    expect(await bench.workflow.assign({ id, assignee: 'Omar B.', actor: OMAR })).toBe('unchanged');
    const { breakView, history } = await bench.workflow.show(id);
    expect(breakView).toMatchObject({ status: 'assigned', assignee: 'Omar B.', version: 3 });
    expect(history.slice(1)).toEqual([
      { position: 2, kind: 'assigned', actor: 'leila', at: bench.clock.now() - 1_000, detail: { assignee: 'salma' } },
      { position: 3, kind: 'assigned', actor: 'cli', at: bench.clock.now(), detail: { assignee: 'Omar B.' } },
    ]);
  });

  test('stores comments and evidence, even of resolved breaks', async () => {
    const id = await bench.open(aBreak('f'));
    const sha256 = 'ab'.repeat(32);
    await bench.workflow.comment({ id, text: 'asked the bank', actor: LEILA });
    await bench.workflow.resolve({ id, reason: 'they paid', actor: LEILA });
    await bench.workflow.comment({
      id,
      text: 'their answer',
      evidence: { fileName: 'answer.pdf', sha256 },
      actor: OMAR,
    });
    expect((await bench.workflow.show(id)).history.slice(1)).toMatchObject([
      { kind: 'commented', actor: 'leila', detail: { text: 'asked the bank' } },
      { kind: 'resolved', actor: 'leila', detail: { resolution: 'by_hand', reason: 'they paid' } },
      { kind: 'commented', actor: 'omar', detail: { text: 'their answer', fileName: 'answer.pdf', sha256 } },
    ]);
  });

  test('resolves once and reopens once, for the last assignee', async () => {
    const id = await bench.open(aBreak('f'));
    await bench.workflow.assign({ id, assignee: 'salma', actor: LEILA });
    await unchangedBy(() => bench.workflow.reopen({ id, reason: 'why not', actor: LEILA }), 'conflict');
    await bench.workflow.resolve({ id, reason: 'settled by phone', actor: LEILA });
    await unchangedBy(() => bench.workflow.resolve({ id, reason: 'me too', actor: OMAR }), 'conflict');
    await unchangedBy(() => bench.workflow.assign({ id, assignee: 'omar', actor: OMAR }), 'conflict');
    await bench.workflow.reopen({ id, reason: 'it was not', actor: OMAR });
    const { breakView } = await bench.workflow.show(id);
    expect(breakView).toMatchObject({ status: 'assigned', assignee: 'salma', resolution: undefined, amount: 50_000 });
    expect(await bench.steps(id)).toEqual(['opened', 'assigned', 'resolved', 'reopened']);
  });

  test('refuses a step on a version that has changed since', async () => {
    const id = await bench.open(aBreak('f'));
    await bench.workflow.comment({ id, text: 'first', actor: OMAR });
    await unchangedBy(() => bench.workflow.resolve({ id, reason: 'settled', actor: LEILA, ifVersion: 1 }), 'conflict');
    expect(await bench.workflow.resolve({ id, reason: 'settled', actor: LEILA, ifVersion: 2 })).toBe('done');
  });

  test('lets one of several concurrent resolutions succeed, and refuses the others', async () => {
    const id = await bench.open(aBreak('f'));
    const people = ['a', 'b', 'c', 'd'].map((name) => person(name));
    const attempts = await Promise.allSettled(
      people.map((actor) => bench.workflow.resolve({ id, reason: `${actor.name} did it`, actor })),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const attempt of attempts) {
      if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ code: 'conflict' });
    }
    expect(await bench.steps(id)).toEqual(['opened', 'resolved']);
  });

  test('stores every one of several concurrent comments', async () => {
    const id = await bench.open(aBreak('f'));
    await Promise.all([1, 2, 3, 4].map((n) => bench.workflow.comment({ id, text: `note ${n}`, actor: LEILA })));
    expect(await bench.steps(id)).toEqual(['opened', 'commented', 'commented', 'commented', 'commented']);
  });

  test('closes a break once when a run and a person resolve it concurrently', async () => {
    const id = await bench.open(aBreak('f'));
    await Promise.allSettled([bench.disappear(id), bench.workflow.resolve({ id, reason: 'settled', actor: LEILA })]);
    expect(await bench.steps(id)).toEqual(['opened', 'resolved']);
    expect(await bench.disappear(id)).toBe(false);
    expect(await bench.steps(id)).toEqual(['opened', 'resolved']);
  });

  test('names the run that closed a break that disappeared', async () => {
    const id = await bench.open(aBreak('f'));
    expect(await bench.disappear(id)).toBe(true);
    expect((await bench.workflow.show(id)).history[1]).toMatchObject({
      actor: 'run:2',
      detail: { resolution: 'disappeared', run: '2' },
    });
  });

  test('changes nothing in a dry run, and reports what would refuse it', async () => {
    const id = await bench.open(aBreak('f'));
    const before = await contents(harness.database);
    expect(await bench.workflow.assign({ id, assignee: 'salma', actor: LEILA, dryRun: true })).toBe('done');
    expect(await bench.workflow.resolve({ id, reason: 'settled', actor: LEILA, dryRun: true })).toBe('done');
    const gone = bench.workflow.resolve({ id: UNKNOWN_ID, reason: 'settled', actor: LEILA, dryRun: true });
    await expect(gone).rejects.toMatchObject({ code: 'not_found' });
    expect(await contents(harness.database)).toEqual(before);
  });

  test('requires the scope, a name and a reason', async () => {
    const id = await bench.open(aBreak('f'));
    const stranger = person('stranger', ['breaks:decide']);
    await unchangedBy(() => bench.workflow.assign({ id, assignee: 'x', actor: stranger }), 'forbidden');
    await unchangedBy(() => bench.workflow.resolve({ id, reason: 'x', actor: stranger }), 'forbidden');
    await unchangedBy(() => bench.workflow.comment({ id, text: 'x', actor: stranger }), 'forbidden');
    await unchangedBy(() => bench.workflow.reopen({ id, reason: 'x', actor: stranger }), 'forbidden');
    for (const assignee of ['', ' leila', 'two\nlines', 'x'.repeat(64), '-dash']) {
      await unchangedBy(() => bench.workflow.assign({ id, assignee, actor: LEILA }), 'bad_input');
    }
    await unchangedBy(() => bench.workflow.resolve({ id, reason: ' ', actor: LEILA }), 'bad_input');
    await unchangedBy(() => bench.workflow.comment({ id, actor: LEILA }), 'bad_input');
    await unchangedBy(() => bench.workflow.comment({ id, text: 'x'.repeat(2_001), actor: LEILA }), 'bad_input');
    const evidence = { fileName: 'a', sha256: 'AB'.repeat(32) };
    await unchangedBy(() => bench.workflow.comment({ id, evidence, actor: LEILA }), 'bad_input');
  });

  test('applies a step to many breaks, each with its own result, and a repetition continues', async () => {
    const ids = [await bench.open(aBreak('f1')), await bench.open(aBreak('f2')), await bench.open(aBreak('f3'))];
    const [first = '', second = '', third = ''] = ids;
    await bench.workflow.resolve({ id: second, reason: 'gone', actor: OMAR });
    const assignAll = () =>
      forEachBreak([...ids, UNKNOWN_ID], (id) => bench.workflow.assign({ id, assignee: 'salma', actor: LEILA }));
    expect(await assignAll()).toMatchObject([
      { id: first, outcome: 'done' },
      { id: second, outcome: 'refused', code: 'conflict' },
      { id: third, outcome: 'done' },
      { id: UNKNOWN_ID, outcome: 'refused', code: 'not_found' },
    ]);
    expect((await assignAll()).map(({ outcome }) => outcome)).toEqual(['unchanged', 'refused', 'unchanged', 'refused']);
  });

  test('records each step that changed something in the audit trail', async () => {
    const id = await bench.open(aBreak('f'));
    await bench.workflow.assign({ id, assignee: 'salma', actor: LEILA });
    await bench.workflow.assign({ id, assignee: 'salma', actor: LEILA });
    await bench.workflow.resolve({ id, reason: 'settled', actor: OMAR });
    const rows = await harness.database.read((session) =>
      rowsOf(session('audit_records as a').select('a.action', 'a.actor_name', 'a.subject').orderBy('a.id')),
    );
    expect(rows).toEqual([
      { action: 'break.assigned', actor_name: 'leila', subject: `break:${id}` },
      { action: 'break.resolved', actor_name: 'omar', subject: `break:${id}` },
    ]);
  });

  test('lists by class, state, severity, assignee, size, day and due date, oldest first', async () => {
    const old = businessDate('2026-02-02');
    const a = await bench.open(aBreak('a', { since: old, amount: millimes(-200_000), breakClass: 'missing_in_book' }));
    const b = await bench.open(aBreak('b', { amount: millimes(1_000_000) }));
    const c = await bench.open(aBreak('c', { amount: undefined, breakClass: 'pos_unknown' }));
    const d = await bench.open(aBreak('d', { amount: millimes(200_000) }));
    await bench.workflow.assign({ id: b, assignee: 'salma', actor: LEILA });
    await bench.workflow.resolve({ id: d, reason: 'settled', actor: LEILA });
    const ids = async (filter: BreakFilter): Promise<string[]> =>
      (await bench.workflow.list({ ...filter, limit: 10 })).rows.map(({ id }) => id);
    expect(await ids({})).toEqual([a, b, c]);
    expect(await ids({ statuses: ['open', 'assigned', 'proposed', 'resolved'] })).toEqual([a, b, d, c]);
    expect(await ids({ statuses: ['resolved'] })).toEqual([d]);
    expect(await ids({ classes: ['pos_unknown', 'missing_in_book'] })).toEqual([a, c]);
    expect(await ids({ severities: ['high'] })).toEqual([a, b]);
    expect(await ids({ severities: ['low'] })).toEqual([c]);
    expect(await ids({ assignee: 'salma' })).toEqual([b]);
    expect(await ids({ assignee: 'Salma' })).toEqual([]);
    expect(await ids({ assignee: null })).toEqual([a, c]);
    expect(await ids({ minAmount: millimes(200_000) })).toEqual([a, b]);
    expect(await ids({ minAmount: millimes(200_001) })).toEqual([b]);
    expect(await ids({ since: businessDate('2026-02-03') })).toEqual([b, c]);
    expect(await ids({ overdueOnly: true })).toEqual([]);
    bench.clock.set('2026-03-07T10:00:00+01:00');
    expect(await ids({ overdueOnly: true })).toEqual([b]);
  });
});
