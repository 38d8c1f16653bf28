// Goal: people work on breaks over HTTP without overwriting each other, and two people decide.
// Method: breaks and payments on both databases, and keys of two people.
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Scope } from '../../../src/identity';
import { describeApi } from '../support/api';
import { type ApiClient, apiClient } from './support/api-client';
import { ITEMS, openBreak, withCredits, withItems } from './support/scenarios/credit-world';

const reason = 'it will not be paid';

describeApi('the operations on breaks', (current) => {
  let client: ApiClient;
  beforeEach(async () => {
    client = await apiClient(current.api);
  });

  const other = (...scopes: readonly Scope[]): Promise<ApiClient> => apiClient(current.api, { name: 'omar', scopes });

  describe('a step', () => {
    test('answers the next version, which the following step states', async () => {
      const { id: breakId, version } = await openBreak(current.api, 'f');
      const read = await client.call('showBreak', { params: { breakId } });
      expect(read.headers.etag).toBe(`"${version}"`);
      const assigned = await client.call('assignBreak', {
        ...{ params: { breakId }, ifMatch: String(read.headers.etag), body: { assignee: 'omar' } },
      });
      expect(assigned.body).toMatchObject({ outcome: 'done', break: { assignee: 'omar', version: version + 1 } });
      const comment = { params: { breakId }, body: { text: 'asked the gateway' } };
      const late = await client.problem('commentBreak', { ...comment, ifMatch: `"${version}"` });
      expect(late).toMatchObject({
        ...{ code: 'version_changed', status: 412, params: { breakId, expected: version, got: version + 1 } },
      });
      await client.done('commentBreak', { ...comment, ifMatch: String(assigned.headers.etag) });
      const { history } = await client.done('showBreak', { params: { breakId } });
      expect(history.map(({ kind }: { kind: string }) => kind)).toEqual(['opened', 'assigned', 'commented']);
    });

    test('names the state that refuses it', async () => {
      const { id: breakId, version } = await openBreak(current.api, 'f');
      const call = { params: { breakId }, ifMatch: `"${version}"`, body: { reason } };
      expect(await client.problem('reopenBreak', call)).toMatchObject({ code: 'break_not_resolved' });
      const { break: after } = await client.done('resolveBreak', call);
      const again = await client.problem('resolveBreak', { ...call, ifMatch: `"${after.version}"` });
      expect(again).toMatchObject({ code: 'break_resolved', params: { breakId, resolution: 'by_hand' } });
    });
  });

  describe('stepOnBreaks', () => {
    test('answers a result for each break, and a problem for each that is refused', async () => {
      const one = await openBreak(current.api, 'f1');
      const two = await openBreak(current.api, 'f2');
      const unknown = { id: '0'.repeat(26), version: 1 };
      const breaks = [one, { ...two, version: 7 }, unknown];
      const step = { kind: 'assign', assignee: 'salma' };
      expect(await client.done('stepOnBreaks', { body: { step, breaks } })).toMatchObject({
        ...{ done: 1, refused: 2 },
        results: [
          { id: one.id, outcome: 'done' },
          { id: two.id, outcome: 'refused', problem: { code: 'version_changed', status: 412 } },
          { id: unknown.id, outcome: 'refused', problem: { code: 'not_found', status: 404 } },
        ],
      });
    });
  });

  describe('listBreakRows', () => {
    test('lists both sides with the sum of the items, and the credit that paid one meanwhile', async () => {
      const [lineId = '', other = ''] = await withCredits(current.api, [4_000, 10_000]);
      const subject = { itemIds: [...ITEMS, 'service:NONE'], lineIds: [lineId], facts: {} };
      const { id: breakId } = await openBreak(current.api, 'f', { subject });
      const call = { params: { breakId } };
      expect(await client.done('listBreakRows', call)).toMatchObject({
        ...{ lineCount: 1, itemCount: 3, itemsMillimes: 12_500 },
        lines: [{ lineId, amountMillimes: 4_000, amount: '4.000', bookingDate: '2026-03-05' }],
        items: [
          { itemId: ITEMS[0], channel: 'agent', agentId: '004711', amountMillimes: 10_000, paidBy: null },
          { itemId: ITEMS[1], amountMillimes: 2_500, paidBy: null },
        ],
      });
      const items = { itemIds: [ITEMS[0]] };
      await client.done('matchCredit', { params: { lineId: other }, body: { items, reason } });
      const after = await client.done('listBreakRows', call);
      expect(after.items.map(({ paidBy }: { paidBy: string | null }) => paidBy)).toEqual([other, null]);
    });
  });

  describe('listBreaks', () => {
    test('filters by state, assignee and size, as `breaks list` does', async () => {
      const { id, version } = await openBreak(current.api, 'f1');
      await openBreak(current.api, 'f2');
      await client.done('assignBreak', {
        ...{ params: { breakId: id }, ifMatch: `"${version}"`, body: { assignee: 'omar' } },
      });
      const idsOf = async (query: Readonly<Record<string, string | number | boolean>>): Promise<string[]> =>
        (await client.done('listBreaks', { query })).data.map((each: { id: string }) => each.id);
      expect(await idsOf({ assignee: 'omar' })).toEqual([id]);
      expect(await idsOf({ status: 'assigned,proposed' })).toEqual([id]);
      expect(await idsOf({ unassigned: true })).not.toContain(id);
      expect(await idsOf({ minAmountMillimes: 5_001 })).toEqual([]);
      const list = await current.api.millime.breakWorkflow.list({ limit: 10 });
      expect(await idsOf({})).toEqual(list.rows.map((each) => each.id));
    });
  });

  describe('the decision of two people', () => {
    test('shows what the approval changes, refuses the proposer, and changes exactly that', async () => {
      await withItems(current.api);
      const { id: breakId, version } = await openBreak(current.api, 'f');
      const { data: places } = await client.done('listWriteOffPlaces', { params: { breakId } });
      expect(places).toEqual([{ account: 'gateway_clearing:agent', effect: 'loss', leftMillimes: 5_000 }]);
      const action = { kind: 'write_off', payload: { amountMillimes: 2_000 } };
      const proposed = await client.call('proposeForBreak', {
        ...{ params: { breakId }, ifMatch: `"${version}"`, body: { action, reason } },
      });
      const { proposalId } = proposed.body;
      expect(proposed.headers.location).toBe(`/api/v1/proposals/${proposalId}`);
      const call = { params: { proposalId }, body: {} };
      expect(await client.problem('approveProposal', call)).toMatchObject({ code: 'same_person', status: 403 });
      const approver = await other('breaks:decide', 'breaks:read');
      const { effect } = await approver.done('showProposal', { params: { proposalId } });
      expect(effect).toMatchObject({
        amountMillimes: 2_000,
        accounts: [{ account: 'gateway_clearing:agent', beforeMillimes: 19_501, afterMillimes: 17_501 }, {}],
        break: { before: { status: 'proposed' }, after: { status: 'open', leftMillimes: 3_000 } },
      });
      expect(await approver.done('approveProposal', call)).toMatchObject({ outcome: 'approved' });
      const shown = await client.done('showBreak', { params: { breakId } });
      expect(shown).toMatchObject({ writtenOffMillimes: 2_000, leftMillimes: 3_000 });
      const again = await approver.problem('approveProposal', call);
      expect(again).toMatchObject({ code: 'proposal_decided', params: { outcome: 'approved', decidedBy: 'omar' } });
      const decided = await client.done('showProposal', { params: { proposalId } });
      expect(decided).toMatchObject({ effect: null, refusal: null, decision: { decidedBy: 'omar' } });
      const { data } = await client.done('listProposals', { query: { waiting: false, mine: true } });
      expect(data).toMatchObject([{ id: proposalId, decision: { outcome: 'approved' } }]);
    });

    test('lets the proposer withdraw with the right to work, and others reject with the right to decide', async () => {
      await withItems(current.api);
      const { id: breakId, version } = await openBreak(current.api, 'f');
      const call = { params: { breakId }, ifMatch: `"${version}"`, body: { action: { kind: 'accept' }, reason } };
      const { proposalId } = await client.done('proposeForBreak', call);
      const reject = { params: { proposalId }, body: { reason: 'not yet' } };
      const worker = await other('breaks:work');
      expect(await worker.problem('rejectProposal', reject)).toMatchObject({ code: 'missing_scope' });
      expect(await client.done('rejectProposal', reject)).toMatchObject({ outcome: 'withdrawn', done: null });
    });

    test('shows in a dry run the proposal that would be stored, and stores none', async () => {
      const [lineId = ''] = await withCredits(current.api, [12_400]);
      const body = { lineId, action: { kind: 'force_match', payload: { itemIds: ITEMS } }, reason };
      const tried = await client.done('proposeForCredit', { query: { dryRun: true }, body });
      expect(tried).toMatchObject({
        ...{ proposalId: null, wouldDo: { breakBecomes: 'kept', grossMillimes: 12_500, remainderMillimes: -100 } },
        proposal: { id: null, subject: `line:${lineId}`, lines: [{ lineId, amountMillimes: 12_400 }] },
      });
      expect((await client.done('listProposals')).data).toEqual([]);
      const { proposalId } = await client.done('proposeForCredit', { body });
      const approver = await other('breaks:decide');
      await approver.done('approveProposal', { params: { proposalId }, body: { reason: 'seen with the contract' } });
      const credit = await client.done('showCredit', { params: { lineId } });
      expect(credit).toMatchObject({ state: 'matched', match: { differenceMillimes: -100 } });
    });
  });
});
