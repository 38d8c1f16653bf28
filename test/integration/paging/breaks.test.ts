import { beforeEach, expect, test } from '@jest/globals';
import type {
  BreakKey,
  BreakPageQuery,
  BreakView,
  BreakWorkflow,
  Proposal,
  ProposalKey,
  ProposalQuery,
} from '../../../src/breaks';
import { addDays, businessDate, millimes } from '../../../src/kernel';
import { describeOnEachDatabase } from '../../support/db';
import { aBreak, LEILA, type WorkflowBench, workflowBench } from '../breaks/workflow-bench';
import { expectFewRowsRead, insertMany, walk } from './paging';

const BREAKS = 5_000;
const id = (index: number): string => `01BREAK${String(index).padStart(19, '0')}`;
const FIRST_DAY = businessDate('2025-01-06');
const statusOf = (index: number): string => (index % 10 === 9 ? 'resolved' : index % 10 === 8 ? 'assigned' : 'open');

/** A hundred breaks share each day; the amounts rise, and only the last ten are of POS payments. */
const breaks = Array.from({ length: BREAKS }, (_, index) => ({
  id: id(index),
  fingerprint: `f${String(index).padStart(6, '0')}`,
  class: index >= BREAKS - 10 ? 'pos_unknown' : 'missing_in_bank',
  status: statusOf(index),
  since: addDays(FIRST_DAY, Math.floor(index / 100)),
  amount_millimes: index,
  direction: 'books_have_more',
  subject: '{"itemIds":[],"lineIds":[],"facts":{}}',
  opened_at: Date.parse('2025-01-06T08:00:00Z'),
  updated_at: 0,
  resolved_at: statusOf(index) === 'resolved' ? Date.parse('2025-06-06T08:00:00Z') : null,
  resolution: statusOf(index) === 'resolved' ? 'a test' : null,
}));
const events = breaks.map(({ id: break_id, opened_at: at }) => ({
  ...{ break_id, position: 1, kind: 'opened', actor: 'run:1', at, detail: '{}' },
}));
const unresolved = breaks.flatMap(({ status }, index) => (status === 'resolved' ? [] : [index]));

describeOnEachDatabase('the list of breaks', (harness) => {
  let workflow: BreakWorkflow;
  beforeEach(async () => {
    ({ workflow } = workflowBench(harness.database));
    await harness.database.transact(async (session) => {
      await insertMany(session, 'recon_breaks', breaks);
      await insertMany(session, 'recon_break_events', events);
      const assigned = { break_id: id(4_998), assignee: 'salma', assigned_at: 1, assigned_by: 'leila' };
      await session('break_assignments').insert(assigned);
    });
  });

  const page = (query: Partial<BreakPageQuery> = {}, most = 5_000) =>
    expectFewRowsRead(harness, () => workflow.list({ limit: 3, ...query }), most);
  const indexes = (found: readonly BreakView[]): number[] => found.map(({ id: each }) => Number(each.slice(7)));
  const all = async (query: Partial<BreakPageQuery>): Promise<number[]> =>
    indexes(await walk<BreakView, BreakKey>(200, (after, limit) => workflow.list({ ...query, after, limit })));

  test('returns each unresolved break once, oldest or newest first, although many have one day', async () => {
    expect(await all({})).toEqual(unresolved);
    const first = await page({}, 60);
    expect(indexes(first.rows)).toEqual([0, 1, 2]);
    expect(indexes((await page({ after: first.next }, 60)).rows)).toEqual([3, 4, 5]);
    const last = breaks[4_000];
    const deep: BreakKey = [last?.since ?? '', last?.class ?? '', last?.fingerprint ?? ''];
    expect(indexes((await page({ after: deep }, 60)).rows)).toEqual([4_001, 4_002, 4_003]);
    const newest = await page({ sort: '-since' }, 60);
    expect(newest.rows).toMatchObject([{ id: id(4_998), assignee: 'salma' }, { id: id(4_997) }, { id: id(4_996) }]);
    const before = await page({ sort: '-since', after: newest.next }, 60);
    expect(indexes(before.rows)).toEqual([4_995, 4_994, 4_993]);
  });

  test('selects by state, day, class, assignee, size, severity and due date', async () => {
    expect(await all({ statuses: ['resolved'] })).toEqual(
      breaks.flatMap((_, index) => (index % 10 === 9 ? [index] : [])),
    );
    expect((await all({ since: addDays(FIRST_DAY, 49) })).length).toBe(90);
    expect(await all({ classes: ['pos_unknown'] })).toEqual(unresolved.slice(-9));
    expect(await all({ assignee: 'salma' })).toEqual([4_998]);
    expect((await all({ assignee: null, statuses: ['assigned'] })).length).toBe(499);
    expect(await all({ minAmount: millimes(4_997) })).toEqual([4_997, 4_998]);
    expect((await all({ severities: ['high'], overdueOnly: true })).length).toBe(unresolved.length);
    expect(await all({ severities: ['low'] })).toEqual([]);
  });

  test('ends a page after 2,000 breaks of a state, and goes on from there', async () => {
    const first = await page({ statuses: ['open'], classes: ['pos_unknown'] });
    expect(first.rows).toEqual([]);
    expect(first.next).toBeDefined();
    const more = await page({ statuses: ['open'], classes: ['pos_unknown'], after: first.next });
    expect(indexes(more.rows)).toEqual([4_990, 4_991, 4_992]);
  });

  test('keeps its pages while breaks are opened', async () => {
    const first = await page();
    const earlier = { ...breaks[0], id: id(9_999), fingerprint: 'e', since: addDays(FIRST_DAY, -1) };
    await harness.database.transact((session) => insertMany(session, 'recon_breaks', [earlier]));
    expect(indexes((await page({ after: first.next })).rows)).toEqual([3, 4, 5]);
  });
});

const PROPOSALS = 3_000;
const proposals = Array.from({ length: PROPOSALS }, (_, index) => ({
  id: id(index),
  subject: `day:${index}`,
  position: 1,
  kind: 'accept',
  payload: '{}',
  reason: 'a test',
  proposed_by: index % 2 === 0 ? 'salma' : 'leila',
  proposed_by_key: id(1),
  proposed_at: Math.floor(index / 2),
}));
/** All but the last four are decided, in the reverse order. */
const decisions = proposals.slice(0, -4).map(({ id: proposal_id }, index) => ({
  ...{ proposal_id, outcome: 'rejected', reason: 'a test', decided_by: 'omar', decided_at: PROPOSALS - index },
}));

describeOnEachDatabase('the list of proposals', (harness) => {
  let bench: WorkflowBench;
  beforeEach(async () => {
    bench = workflowBench(harness.database);
    await harness.database.transact(async (session) => {
      await insertMany(session, 'break_proposals', proposals);
      await insertMany(session, 'break_decisions', decisions);
    });
  });

  const page = (query: Omit<ProposalQuery, 'limit'>) =>
    expectFewRowsRead(harness, () => bench.workflow.proposals({ limit: 3, ...query }));
  const indexes = (found: readonly Proposal[]): number[] => found.map(({ id: each }) => Number(each.slice(7)));
  const all = async (query: Omit<ProposalQuery, 'limit'>): Promise<number[]> =>
    indexes(
      await walk<Proposal, ProposalKey>(200, (after, limit) => bench.workflow.proposals({ ...query, after, limit })),
    );

  test('has those that wait, and the others, newest first', async () => {
    expect(await all({ waiting: true })).toEqual([2_999, 2_998, 2_997, 2_996]);
    expect(await all({ waiting: true, proposedBy: 'leila' })).toEqual([2_999, 2_997]);
    expect(indexes((await page({ waiting: true })).rows)).toEqual([2_999, 2_998, 2_997]);
    expect((await page({ waiting: true, proposedBy: 'omar' })).rows).toEqual([]);
    expect(await all({ waiting: false })).toEqual(decisions.map((_, index) => index));
    expect(indexes((await page({ waiting: false })).rows)).toEqual([0, 1, 2]);
  });

  test('finds a proposal by its id, whether it waits or not', async () => {
    const reconBreak = await bench.open(aBreak('a'));
    const { proposalId } = await bench.workflow.propose({
      about: { breakId: reconBreak },
      action: { kind: 'accept', payload: {} },
      reason: 'a rounding',
      actor: LEILA,
    });
    expect((await bench.workflow.shownProposal(proposalId)).proposal).toMatchObject({
      breakId: reconBreak,
      decision: undefined,
    });
    expect((await bench.workflow.shownProposal(id(7))).proposal).toMatchObject({
      decision: { outcome: 'rejected', decidedBy: 'omar' },
    });
    await expect(bench.workflow.shownProposal('none')).rejects.toMatchObject({ code: 'not_found' });
  });
});
