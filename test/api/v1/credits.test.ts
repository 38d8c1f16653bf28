// Goal: the operations on credits and runs state what the command line states, and refuse with problems that programs can
// tell apart.
// Method: payments, a statement and runs on both databases; figures are compared with those of the use cases.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { businessDate } from '../../../src/kernel';
import { BY_TEST } from '../../support/factories';
import { describeApi } from '../support/api';
import { type ApiClient, apiClient } from './support/api-client';
import { ITEMS, ITEMS_SUM, OTHER_TEXT, withCredits, withMatch, withRun } from './support/scenarios/credit-world';

const reason = 'the contract states it';

describeApi('the operations on credits', (current) => {
  let client: ApiClient;
  beforeEach(async () => {
    client = await apiClient(current.api);
  });

  describe('showCredit', () => {
    test('shows the match that a person made, with its figures', async () => {
      const lineId = await withMatch(current.api);
      const shown = await client.done('showCredit', { params: { lineId } });
      expect(shown).toMatchObject({
        ...{ lineId, state: 'matched', amountMillimes: ITEMS_SUM, answer: null, proposalIds: [] },
        match: { kind: 'forced', grossMillimes: ITEMS_SUM, differenceMillimes: 0, itemIds: ITEMS },
      });
    });

    test('names the proposal that waits for another person', async () => {
      const [lineId = ''] = await withCredits(current.api, [12_400]);
      const action = { kind: 'force_match', payload: { itemIds: ITEMS } };
      const { proposalId } = await client.done('proposeForCredit', { body: { lineId, action, reason } });
      const shown = await client.done('showCredit', { params: { lineId } });
      expect(shown).toMatchObject({ state: 'waiting', match: null, proposalIds: [proposalId] });
    });

    test('computes no answer that the last run did not store', async () => {
      const [lineId = ''] = await withCredits(current.api, [12_400]);
      expect(await client.done('showCredit', { params: { lineId } })).toMatchObject({ state: 'waiting', answer: null });
      await current.api.millime.reconciliation.run({ through: businessDate('2026-03-05'), ...BY_TEST });
      expect((await client.done('showCredit', { params: { lineId } })).answer).not.toBeNull();
    });

    test('answers not_found for an unknown line and line_no_payout for one that is none', async () => {
      const [lineId = ''] = await withCredits(current.api, [500], OTHER_TEXT);
      expect(await client.problem('showCredit', { params: { lineId } })).toMatchObject({ code: 'line_no_payout' });
      const unknown = { params: { lineId: '0'.repeat(26) } };
      expect(await client.problem('showCredit', unknown)).toMatchObject({ code: 'not_found' });
    });
  });

  describe('the history of a credit', () => {
    test('names who matched it, its sums by channel, and each match that was undone', async () => {
      const lineId = await withMatch(current.api);
      const call = { params: { lineId } };
      const shown = await client.done('showCredit', call);
      expect(shown).toMatchObject({
        matched: { by: 'test', runId: null, reason: 'counted', approvedBy: null },
        match: { channels: [{ channel: 'agent', items: 2, grossMillimes: ITEMS_SUM, feeMillimes: 0 }] },
        reversedMatches: [],
      });
      await client.done('unmatchCredit', { ...call, body: { reason } });
      expect(await client.done('showCredit', call)).toMatchObject({
        ...{ matched: null, match: null },
        reversedMatches: [{ kind: 'unmatched', by: 'salma', reason, matchId: shown.match.matchId }],
      });
    });

    test('lists the items of a match in pages, none without a match, and refuses an unknown line', async () => {
      const lineId = await withMatch(current.api);
      const first = await client.done('listCreditItems', { params: { lineId }, query: { limit: 1 } });
      expect(first.data).toMatchObject([{ itemId: ITEMS[0], channel: 'agent', amountMillimes: 10_000 }]);
      const query = { limit: 1, cursor: first.nextCursor };
      const last = await client.done('listCreditItems', { params: { lineId }, query });
      expect(last).toMatchObject({ data: [{ itemId: ITEMS[1] }], hasMore: false });
      await client.done('unmatchCredit', { params: { lineId }, body: { reason } });
      expect(await client.done('listCreditItems', { params: { lineId } })).toMatchObject({ data: [], hasMore: false });
      const unknown = { params: { lineId: '0'.repeat(26) } };
      expect(await client.problem('listCreditItems', unknown)).toMatchObject({ code: 'not_found' });
    });
  });

  describe('tryMatch', () => {
    test('states the sums with the fees in force, and what is left of the credit', async () => {
      const [lineId = ''] = await withCredits(current.api, [12_277]);
      const call = { params: { lineId }, body: { itemIds: ITEMS } };
      expect(await client.done('tryMatch', call)).toMatchObject({ items: 2, differenceMillimes: -223, fits: false });
      const rule = { channel: 'agent', rate_ppm: 15_000, fixed_millimes: 0, tva_ppm: 190_000 };
      await client.done('setFees', { body: { rules: [{ ...rule, rounding: 'half_up', basis: 'item' }], reason } });
      expect(await client.done('tryMatch', call)).toEqual({
        ...{ lineId, creditMillimes: 12_277, items: 2, grossMillimes: 12_500, feeMillimes: 188, tvaMillimes: 36 },
        ...{ netMillimes: 12_276, differenceMillimes: 1, fits: false },
      });
    });

    test('states the sums that the match then has, without the right to decide', async () => {
      const [lineId = ''] = await withCredits(current.api, [ITEMS_SUM]);
      const reader = await apiClient(current.api, { name: 'omar', scopes: ['reconciliation:read'] });
      const tried = await reader.done('tryMatch', { params: { lineId }, body: { itemIds: ITEMS } });
      expect(tried).toMatchObject({ fits: true, differenceMillimes: 0 });
      const items = { itemIds: ITEMS };
      const match = await client.done('matchCredit', { params: { lineId }, body: { items, reason } });
      const { grossMillimes, feeMillimes, tvaMillimes } = tried;
      expect(match).toMatchObject({ grossMillimes, feeMillimes, tvaMillimes, remainderMillimes: 0 });
    });

    test('chooses a run of items as `reconcile items` does', async () => {
      const [lineId = ''] = await withCredits(current.api, [ITEMS_SUM]);
      const selection = { agentId: '004711', through: { itemId: 'service:TX-2' } };
      expect(await client.done('tryMatch', { params: { lineId }, body: { selection } })).toMatchObject({
        ...{ items: 2, grossMillimes: ITEMS_SUM, fits: true },
      });
    });

    test('takes ids of items in full only, and refuses what a match refuses', async () => {
      const [lineId = '', other = ''] = await withCredits(current.api, [ITEMS_SUM, 7_001]);
      const problemOf = async (line: string, itemIds: readonly string[]): Promise<string> =>
        (await client.problem('tryMatch', { params: { lineId: line }, body: { itemIds } })).code;
      expect(await problemOf(lineId, ['TX-1'])).toBe('not_found');
      await current.api.millime.reconciliation.match({ lineId, items: ITEMS, reason, ...BY_TEST });
      expect(await problemOf(lineId, ['service:TX-3'])).toBe('line_matched');
      expect(await problemOf(other, ITEMS)).toBe('item_matched');
      expect(await problemOf(other, ['service:TX-3', 'service:TX-3'])).toBe('bad_input');
    });
  });

  describe('matchCredit', () => {
    test('refuses a sum that differs, without a command of the command line', async () => {
      const [lineId = ''] = await withCredits(current.api, [12_400]);
      const body = { items: { itemIds: ITEMS }, reason };
      const problem = await client.problem('matchCredit', { params: { lineId }, body });
      expect(problem).toMatchObject({ code: 'amounts_do_not_fit', status: 409, params: { lineId } });
      expect(problem.detail).not.toContain('millime ');
    });
  });

  describe('listCandidates', () => {
    test('answers what a run would propose now, and nothing for a matched credit', async () => {
      const [lineId = ''] = await withCredits(current.api, [12_400]);
      const explained = await current.api.millime.reconciliation.explain(lineId);
      const listed = await client.done('listCandidates', { params: { lineId } });
      expect(listed).toMatchObject({ lineId, through: explained.through, state: 'waiting' });
      expect(listed.data).toHaveLength(explained.answer?.candidates.length ?? -1);
    });
  });

  describe('markPayouts', () => {
    test('takes the text as it stands, so that no pattern can be slow', async () => {
      await withCredits(current.api, [10_000], `${OTHER_TEXT} (1+1)`);
      const { rows } = await current.api.millime.statements.list({ limit: 1 });
      const choice = { statementId: rows[0]?.statement.id };
      const mark = (text: string) => client.call('markPayouts', { body: { choice, text, isPayout: true, reason } });
      expect((await mark('.*')).body).toMatchObject({ code: 'bad_input' });
      expect((await mark('sarl (1+1)')).body).toMatchObject({ outcome: 'marked', recognizedCredits: 1 });
    });
  });

  describe('the runs', () => {
    test('answer what the use case answers, once with the difference of a dry run', async () => {
      await withCredits(current.api, [ITEMS_SUM]);
      const through = businessDate('2026-03-05');
      const dry = await current.api.millime.reconciliation.runAndCompare({ through, ...BY_TEST, dryRun: true });
      const call = { body: { through } };
      const tried = await client.done('runReconciliation', { ...call, query: { dryRun: true } });
      expect(tried).toEqual(JSON.parse(JSON.stringify({ ...dry.result, difference: dry.difference })));
      expect(await client.done('runReconciliation', call)).toEqual(JSON.parse(JSON.stringify(dry.result)));
    });

    test('show a recorded run, and replay it with the same answer', async () => {
      const runId = await withRun(current.api);
      const shown = await client.done('showRun', { params: { runId } });
      expect(shown).toMatchObject({ id: runId, through: '2026-03-05', recordedBy: 'test', replayable: true });
      expect(shown).not.toHaveProperty('answers');
      const replayed = await client.done('replayRun', { params: { runId } });
      expect(replayed).toMatchObject({ runId, isSame: true, differsIn: [] });
    });

    test('refuse a day after today and an unknown run', async () => {
      const problem = await client.problem('runReconciliation', { body: { through: '2199-12-31' } });
      expect(problem).toMatchObject({ code: 'bad_input', errors: [{ pointer: '/through' }] });
      const unknown = { params: { runId: '0'.repeat(26) } };
      expect(await client.problem('showRun', unknown)).toMatchObject({ code: 'not_found' });
    });
  });

  describe('setFees', () => {
    test('refuses two rules of one channel and day, and fees that are in force', async () => {
      const rule = { channel: 'card', rate_ppm: 1, fixed_millimes: 0, tva_ppm: 0, rounding: 'down', basis: 'payout' };
      const twice = await client.problem('setFees', { body: { rules: [rule, rule], reason } });
      expect(twice).toMatchObject({ code: 'bad_input', errors: [{ in: 'body', pointer: '/rules' }] });
      const set = await client.done('setFees', { body: { rules: [rule], reason } });
      expect(set).toMatchObject({ state: 'given', fees: [rule], confirmedBy: 'salma' });
      const again = await client.problem('setFees', { body: { rules: [rule], reason: 'another' } });
      expect(again).toMatchObject({ code: 'fees_in_force' });
    });
  });
});
