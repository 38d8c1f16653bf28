// Goal: days are proven, closed and reopened over HTTP with the figures of the command line.
// Method: payments, a statement and a run on both databases, and keys of two people.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { businessDate } from '../../../src/kernel';
import { describeApi } from '../support/api';
import { type ApiClient, apiClient } from './support/api-client';
import { MONDAY, withClosedDay, withItems, withRun } from './support/scenarios/credit-world';

const params = { date: MONDAY };
const reason = 'a late statement came';

describeApi('the operations on days', (current) => {
  let client: ApiClient;
  beforeEach(async () => {
    client = await apiClient(current.api);
  });

  describe('proveDay', () => {
    test('proves a day and names the obstacles, without the right to close days', async () => {
      await withItems(current.api);
      const reader = await apiClient(current.api, { name: 'omar', scopes: ['days:read'] });
      const proof = await reader.done('proveDay', { params, body: {} });
      expect(proof).toMatchObject({ outcome: 'dry_run', number: null, channels: [{ channel: 'agent' }] });
      expect(proof.obstacles).toContainEqual({
        ...{ code: 'not_reconciled', params: { through: MONDAY } },
        detail: 'no run has reconciled it since it ended',
      });
      expect((await client.done('showDay', { params })).obstacles).toEqual(proof.obstacles);
      const refused = await client.problem('closeDay', { params, body: {} });
      expect(refused).toMatchObject({ code: 'day_not_closable', status: 409, params: { date: MONDAY } });
      expect(refused.errors).toEqual(proof.obstacles);
    });

    test('proves what the closing then seals', async () => {
      await withRun(current.api);
      const proven = await client.done('proveDay', { params, body: { reason } });
      const closed = await client.done('closeDay', { params, body: { reason } });
      expect(closed.channels).toEqual(proven.channels);
      expect(closed).toMatchObject({ outcome: 'closed', number: 1, obstacles: [] });
      const again = await client.done('closeDay', { params, body: { reason: 'another reason' } });
      expect(again).toEqual({ ...closed, outcome: 'already_closed' });
    });
  });

  describe('showDay', () => {
    test('shows an open, a closed and a reopened day', async () => {
      await withClosedDay(current.api);
      expect(await client.done('showDay', { params: { date: '2026-03-03' } })).toMatchObject({
        ...{ state: 'open', seal: null, proof: null },
      });
      const closed = await client.done('showDay', { params });
      expect(closed).toMatchObject({ state: 'closed', obstacles: [], seal: { number: 1, stands: true } });
      const [seal] = await sealsOf();
      expect(closed.seal.digest).toBe(seal?.digest);
      await reopened();
      expect(await client.done('showDay', { params })).toMatchObject({
        ...{ state: 'reopened', seal: { number: 1, stands: false }, proof: closed.proof },
      });
    });

    test('refuses a text that is no day', async () => {
      for (const date of ['2026-02-30', '1969-12-31', 'x']) {
        expect(await client.problem('showDay', { params: { date } })).toMatchObject({ code: 'bad_input' });
      }
      expect((await client.call('showDay', { params: { date: '2199-12-31' } })).status).toBe(200);
      expect((await client.call('showDay', { params: { date: '1970-01-01' } })).status).toBe(200);
    });
  });

  describe('the reopening', () => {
    test('takes two people, and leaves every seal valid', async () => {
      await withClosedDay(current.api);
      const none = await client.problem('approveReopening', { params });
      expect(none).toMatchObject({ code: 'reopening_not_proposed' });
      await client.done('proposeReopening', { params, body: { reason } });
      const twice = await client.problem('proposeReopening', { params, body: { reason: 'another reason' } });
      expect(twice).toMatchObject({ code: 'reopening_proposed', params: { proposedBy: 'salma' } });
      expect(await client.problem('approveReopening', { params })).toMatchObject({ code: 'same_person' });
      const approver = await apiClient(current.api, { name: 'omar', scopes: ['days:reopen'] });
      expect(await approver.done('approveReopening', { params })).toEqual({
        ...{ kind: 'reopened', date: MONDAY, number: 1, proposedBy: 'salma', approvedBy: 'omar' },
      });
      expect(await client.done('verifySeals')).toEqual({ faults: [] });
    });
  });

  async function reopened(): Promise<void> {
    await client.done('proposeReopening', { params, body: { reason } });
    const approver = await apiClient(current.api, { name: 'omar', scopes: ['days:reopen'] });
    await approver.done('approveReopening', { params });
  }

  async function sealsOf() {
    const { seal } = await current.api.millime.dayClosing.day(businessDate(MONDAY));
    return [seal];
  }
});
