// Goal: an action that needs two people is done once, by two, on the difference that both saw, and completely or not at
// all.
// Method: actions that write a row or fail, handled by the test, beside those of the room.
import { beforeEach, expect, test } from '@jest/globals';
import { type DecideHandlers, openBreakStore, type ProposedAction } from '../../../src/breaks';
import { rowsOf } from '../../../src/db';
import { openAuditTrail, OPERATOR } from '../../../src/identity';
import { millimes } from '../../../src/kernel';
import { aFault } from '../../support/a-fault';
import { describeOnEachDatabase } from '../../support/db';
import { contents } from '../ledger/row-counts';
import { aBreak, LEILA, OMAR, person, type WorkflowBench, workflowBench } from './workflow-bench';

const ACCEPT: ProposedAction = { kind: 'accept', payload: {} };
const REOPEN: ProposedAction = { kind: 'reopen', payload: {} };
const NOTE: ProposedAction = { kind: 'force_match', payload: { word: 'done' } };

/** The actions of other modules, played by the test. What the first one did can be counted in the audit trail. */
const HANDLERS: DecideHandlers = {
  force_match: async (session, { subject, action }, actor, at) => {
    const detail = { word: String(action.payload['word']) };
    await openAuditTrail(session).record({ at, actor, action: 'test.noted', subject, detail });
    return { breakBecomes: { kind: 'kept' }, detail };
  },
  unmatch: () => Promise.resolve({ breakBecomes: { kind: 'resolved', resolution: 'force_matched' } }),
  reopen_day: () => Promise.reject(aFault('conflict', 'that cannot be done')),
};

describeOnEachDatabase('the decisions of two people', (harness) => {
  let bench: WorkflowBench;

  beforeEach(() => {
    bench = workflowBench(harness.database, HANDLERS);
  });

  const unchangedBy = async (work: () => Promise<unknown>, code: string): Promise<void> => {
    const before = await contents(harness.database);
    await expect(work()).rejects.toMatchObject({ code });
    expect(await contents(harness.database)).toEqual(before);
  };

  const proposeFor = async (breakId: string, action = ACCEPT, actor = LEILA): Promise<string> =>
    (await bench.workflow.propose({ about: { breakId }, action, reason: 'it is right so', actor })).proposalId;

  const noted = (): Promise<number> =>
    harness.database.read(
      async (session) =>
        (await rowsOf(session('audit_records as a').select('a.id').where('a.action', 'test.noted'))).length,
    );

  test('are proposed by one person, approved by another, and then performed', async () => {
    const id = await bench.open(aBreak('f'));
    const proposalId = await proposeFor(id);
    expect((await bench.workflow.show(id)).breakView).toMatchObject({ status: 'proposed', proposalId });
    expect((await bench.workflow.proposals({ waiting: true, limit: 10 })).rows).toMatchObject([
      { id: proposalId, breakId: id, action: ACCEPT },
    ]);
    bench.clock.advance(5);
    expect(await bench.workflow.approve({ id, reason: 'I looked too', actor: OMAR })).toMatchObject({
      proposalId,
      outcome: 'approved',
    });
    const { breakView, history, proposals } = await bench.workflow.show(id);
    expect(breakView).toMatchObject({ status: 'resolved', resolution: 'accepted', proposalId: undefined });
    expect(history.slice(1)).toMatchObject([
      {
        kind: 'proposed',
        actor: 'leila',
        detail: { action: 'accept', reason: 'it is right so', proposal: proposalId },
      },
      { kind: 'approved', actor: 'omar', detail: { action: 'accept', reason: 'I looked too', proposedBy: 'leila' } },
      { kind: 'resolved', actor: 'omar', detail: { resolution: 'accepted', proposal: proposalId } },
    ]);
    expect(proposals).toMatchObject([
      {
        proposedBy: 'leila',
        proposedAt: bench.clock.now() - 5,
        decision: { outcome: 'approved', decidedBy: 'omar', decidedAt: bench.clock.now(), reason: 'I looked too' },
      },
    ]);
    expect((await bench.workflow.proposals({ waiting: true, limit: 10 })).rows).toEqual([]);
  });

  test('are refused to one person with two keys, and to an actor without a key', async () => {
    const id = await bench.open(aBreak('f'));
    await unchangedBy(() => proposeFor(id, ACCEPT, OPERATOR), 'forbidden');
    await proposeFor(id);
    await unchangedBy(() => bench.workflow.approve({ id, actor: LEILA }), 'forbidden');
    await unchangedBy(
      () => bench.workflow.approve({ id, actor: { ...LEILA, keyId: 'X'.repeat(26) } as typeof LEILA }),
      'forbidden',
    );
    await unchangedBy(() => bench.workflow.approve({ id, actor: OPERATOR }), 'forbidden');
    await unchangedBy(() => bench.workflow.approve({ id, actor: { kind: 'job', name: 'job:reconcile' } }), 'forbidden');
    await unchangedBy(() => bench.workflow.approve({ id, actor: person('clerk', ['breaks:work']) }), 'forbidden');
    await unchangedBy(() => proposeFor(id, ACCEPT, person('guest', ['breaks:decide'])), 'forbidden');
  });

  test('are performed once when several people approve concurrently; the others get a conflict', async () => {
    const id = await bench.open(aBreak('f'));
    await proposeFor(id, NOTE);
    const people = ['a', 'b', 'c', 'd'].map((name) => person(name));
    const attempts = await Promise.allSettled(people.map((actor) => bench.workflow.approve({ id, actor })));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const attempt of attempts) {
      if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ code: 'conflict' });
    }
    expect(await noted()).toBe(1);
    expect(await bench.steps(id)).toEqual(['opened', 'proposed', 'approved']);
  });

  test('are approved or rejected, never both', async () => {
    const id = await bench.open(aBreak('f'));
    const proposalId = await proposeFor(id, NOTE);
    const [approved, rejected] = await Promise.allSettled([
      bench.workflow.approve({ id: proposalId, actor: OMAR }),
      bench.workflow.reject({ id: proposalId, reason: 'no', actor: person('salma') }),
    ]);
    expect([approved.status, rejected.status].sort()).toEqual(['fulfilled', 'rejected']);
    expect(await noted()).toBe(approved.status === 'fulfilled' ? 1 : 0);
    expect((await bench.workflow.show(id)).breakView.status).toBe('open');
  });

  test('either perform the approval or lapse when a run closes the break concurrently', async () => {
    const id = await bench.open(aBreak('f'));
    await proposeFor(id, ACCEPT);
    const [approved, gone] = await Promise.allSettled([
      bench.workflow.approve({ id, actor: OMAR }),
      bench.disappear(id),
    ]);
    const { breakView, proposals } = await bench.workflow.show(id);
    const isApproved = approved.status === 'fulfilled';
    expect(gone).toEqual({ status: 'fulfilled', value: !isApproved });
    expect(breakView).toMatchObject({ status: 'resolved', resolution: isApproved ? 'accepted' : 'disappeared' });
    expect(proposals).toMatchObject([{ decision: { outcome: isApproved ? 'approved' : 'lapsed' } }]);
    expect((await bench.steps(id)).filter((kind) => kind === 'resolved')).toHaveLength(1);
  });

  test('lapse when a run closes the break', async () => {
    const id = await bench.open(aBreak('f'));
    const proposalId = await proposeFor(id);
    await bench.disappear(id);
    await unchangedBy(() => bench.workflow.approve({ id: proposalId, actor: OMAR }), 'conflict');
    await unchangedBy(() => bench.workflow.approve({ id, actor: OMAR }), 'conflict');
    expect((await bench.workflow.show(id)).proposals).toMatchObject([
      { decision: { outcome: 'lapsed', decidedBy: 'run:2' } },
    ]);
  });

  test('are refused if the break changed since, and can be proposed again', async () => {
    const id = await bench.open(aBreak('f'));
    await proposeFor(id);
    const other = aBreak('f', { amount: millimes(50_001) });
    await harness.database.transact((session) => openBreakStore(session).change(id, other, bench.clock.now(), 'run:2'));
    await unchangedBy(() => bench.workflow.approve({ id, actor: OMAR }), 'conflict');
    await bench.workflow.reject({ id, reason: 'it changed', actor: OMAR });
    await proposeFor(id);
    expect((await bench.workflow.approve({ id, actor: OMAR })).outcome).toBe('approved');
  });

  test('wait one at a time for a break, even if two people propose concurrently', async () => {
    const id = await bench.open(aBreak('f'));
    const attempts = await Promise.allSettled([proposeFor(id, NOTE), proposeFor(id, ACCEPT, OMAR)]);
    expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await unchangedBy(() => proposeFor(id), 'conflict');
    await unchangedBy(() => bench.workflow.resolve({ id, reason: 'settled', actor: LEILA }), 'conflict');
  });

  test('can have another subject than a break, one at a time for each', async () => {
    const about = { subject: 'day:2026-03-02' };
    const propose = () => bench.workflow.propose({ about, action: NOTE, reason: 'late rows', actor: LEILA });
    const attempts = await Promise.allSettled([propose(), propose(), propose()]);
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [waiting] = (await bench.workflow.proposals({ waiting: true, limit: 10 })).rows;
    expect(waiting).toMatchObject({ ...about, breakId: undefined });
    expect(await bench.workflow.approve({ id: waiting?.id ?? '', actor: OMAR })).toMatchObject({
      ...about,
      outcome: 'approved',
    });
    expect(await noted()).toBe(1);
    expect((await propose()).proposalId).toMatch(/^[0-9A-Z]{26}$/);
    for (const subject of ['break:1', 'day', 'day:two words', `day:${'x'.repeat(100)}`]) {
      const work = () => bench.workflow.propose({ about: { subject }, action: NOTE, reason: 'x', actor: LEILA });
      await unchangedBy(work, 'bad_input');
    }
  });

  test('cannot be proposed if they are impossible', async () => {
    const id = await bench.open(aBreak('f'));
    await unchangedBy(() => proposeFor(id, { kind: 'reopen_day', payload: {} }), 'conflict');
    await unchangedBy(() => proposeFor(id, { kind: 'nothing', payload: {} }), 'bad_input');
    await unchangedBy(() => proposeFor(id, { kind: 'constructor', payload: {} }), 'bad_input');
    await unchangedBy(() => proposeFor(id, REOPEN), 'conflict');
    await unchangedBy(() => proposeFor('0'.repeat(26)), 'not_found');
    const stale = { about: { breakId: id, ifVersion: 2 }, action: ACCEPT, reason: 'x', actor: LEILA };
    await unchangedBy(() => bench.workflow.propose(stale), 'conflict');
    await unchangedBy(() => bench.workflow.propose({ ...stale, about: { breakId: id }, reason: '' }), 'bad_input');
    await bench.workflow.resolve({ id, reason: 'settled', actor: LEILA });
    await unchangedBy(() => proposeFor(id), 'conflict');
  });

  test('are tried in a dry run that stores nothing', async () => {
    const id = await bench.open(aBreak('f'));
    const before = await contents(harness.database);
    const propose = { about: { breakId: id }, action: NOTE, reason: 'x', actor: LEILA, dryRun: true };
    expect((await bench.workflow.propose(propose)).wouldDo).toEqual({
      breakBecomes: { kind: 'kept' },
      detail: { word: 'done' },
    });
    expect(await contents(harness.database)).toEqual(before);
    await proposeFor(id, NOTE);
    const proposed = await contents(harness.database);
    expect(await bench.workflow.approve({ id, actor: OMAR, dryRun: true })).toMatchObject({ outcome: 'approved' });
    expect(await bench.workflow.reject({ id, reason: 'x', actor: OMAR, dryRun: true })).toMatchObject({
      outcome: 'rejected',
    });
    expect(await contents(harness.database)).toEqual(proposed);
  });

  test('store nothing if the action fails at the approval', async () => {
    const id = await bench.open(aBreak('f'));
    let isBroken = false;
    const failing = workflowBench(harness.database, {
      force_match: async (...given) => {
        const done = await HANDLERS.force_match?.(...given);
        if (isBroken || done === undefined) throw aFault('conflict', 'the day was closed');
        return done;
      },
    });
    await failing.workflow.propose({ about: { breakId: id }, action: NOTE, reason: 'x', actor: LEILA });
    isBroken = true;
    await unchangedBy(() => failing.workflow.approve({ id, actor: OMAR }), 'conflict');
    isBroken = false;
    expect((await failing.workflow.approve({ id, actor: OMAR })).outcome).toBe('approved');
  });

  test('can be rejected by a second person, or withdrawn by the first, with a reason', async () => {
    const id = await bench.open(aBreak('f'));
    await bench.workflow.assign({ id, assignee: 'salma', actor: LEILA });
    await proposeFor(id);
    await unchangedBy(() => bench.workflow.reject({ id, actor: OMAR }), 'bad_input');
    await unchangedBy(
      () => bench.workflow.reject({ id, reason: 'no', actor: person('clerk', ['breaks:work']) }),
      'forbidden',
    );
    expect((await bench.workflow.reject({ id, reason: 'too early', actor: OMAR })).outcome).toBe('rejected');
    expect((await bench.workflow.show(id)).breakView).toMatchObject({ status: 'assigned', assignee: 'salma' });
    await unchangedBy(() => bench.workflow.reject({ id, reason: 'again', actor: OMAR }), 'conflict');
    const clerk = person('clerk', ['breaks:work']);
    await proposeFor(id, ACCEPT, clerk);
    expect((await bench.workflow.reject({ id, reason: 'a slip', actor: clerk })).outcome).toBe('withdrawn');
    expect((await bench.workflow.show(id)).proposals.map(({ decision }) => decision?.outcome)).toEqual([
      'rejected',
      'withdrawn',
    ]);
  });

  test('are reopened by two people only', async () => {
    const id = await bench.open(aBreak('f'));
    await proposeFor(id);
    await bench.workflow.approve({ id, actor: OMAR });
    await unchangedBy(() => bench.workflow.reopen({ id, reason: 'wrong', actor: LEILA }), 'conflict');
    await proposeFor(id, REOPEN, OMAR);
    expect((await bench.workflow.show(id)).breakView).toMatchObject({ status: 'resolved', resolution: 'accepted' });
    await bench.workflow.approve({ id, actor: LEILA });
    expect((await bench.workflow.show(id)).breakView).toMatchObject({ status: 'open', resolution: undefined });
    await proposeFor(id, { kind: 'unmatch', payload: {} });
    await bench.workflow.approve({ id, actor: OMAR });
    await unchangedBy(() => proposeFor(id, REOPEN), 'conflict');
  });

  test('do not wait for proposals of other breaks', async () => {
    const ids = await Promise.all(['f1', 'f2', 'f3'].map((name) => bench.open(aBreak(name))));
    await Promise.all(ids.map((id) => proposeFor(id)));
    await Promise.all(ids.map((id) => bench.workflow.approve({ id, actor: OMAR })));
    expect((await bench.workflow.list({ limit: 10 })).rows).toEqual([]);
  });

  test('are never changed or removed', async () => {
    const id = await bench.open(aBreak('f'));
    await proposeFor(id);
    await bench.workflow.approve({ id, actor: OMAR });
    const before = await contents(harness.database);
    for (const [table, column] of [
      ['break_proposals', 'proposed_by'],
      ['break_decisions', 'decided_by'],
    ] as const) {
      await expect(harness.database.transact((session) => session(table).update(column, 'unknown'))).rejects.toThrow();
      await expect(harness.database.transact((session) => session(table).delete())).rejects.toThrow();
    }
    expect(await contents(harness.database)).toEqual(before);
  });
});
