// Goal: people work on breaks alone or many at once, and what changes the books takes two of them.
// Method: breaks and payments on both databases; requests of browsers of several people.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openBreakStore } from '../../src/breaks';
import { millimes } from '../../src/kernel';
import { openBreak, withCredits, withItems, withProposal } from '../api/v1/support/scenarios/credit-world';
import { aBreak } from '../integration/breaks/workflow-bench';
import { describeConsole, person, type Seen, type Visitor } from './support/visitor';

const has = (page: Seen, action: string): boolean =>
  page.forms.some(({ fields }) => fields.some(([name, value]) => name === 'action' && value === action));

describeConsole('the pages of breaks', (current) => {
  let salma: Visitor;
  beforeEach(async () => {
    // The items are confirmed before, and the sessions of this instant last.
    current.api.setClock('2026-03-06T17:00:00.000Z');
    salma = await person(current.api);
  });

  const find = async (id: string) => (await current.api.millime.breakWorkflow.show(id)).breakView;

  describe('the queue', () => {
    test('shows the breaks that are not resolved, and filters by whose they are', async () => {
      const one = await openBreak(current.api, 'f1');
      const two = await openBreak(current.api, 'f2', { amount: millimes(7_000) });
      const { breakWorkflow } = current.api.millime;
      const page = await salma.get('/console/breaks');
      expect(page.rows.map((cells) => cells[2])).toEqual(
        expect.arrayContaining([expect.stringContaining('5,000 DT'), expect.stringContaining('7,000 DT')]),
      );
      await salma.send(await salma.get(`/console/breaks/${one.id}`), 'assign', { assignee: 'salma' });
      expect((await salma.get('/console/breaks?who=me')).rows).toHaveLength(1);
      expect((await salma.get('/console/breaks?min=6')).links.map(({ href }) => href)).toContain(
        `/console/breaks/${two.id}`,
      );
      expect((await salma.get('/console/breaks?status=resolved')).text).toContain('Nothing fits');
      expect((await breakWorkflow.list({ limit: 9, sort: 'since', after: undefined })).rows).toHaveLength(2);
    });

    test('says that all is resolved', async () => {
      expect((await salma.get('/console/breaks')).text).toContain('no break waits');
    });

    test('previews one step for many, stores nothing, then takes it', async () => {
      const one = await openBreak(current.api, 'f1');
      const two = await openBreak(current.api, 'f2');
      const chosen = [one, two].map(({ id, version }) => `${id}:${version}`);
      const page = await salma.get('/console/breaks');
      const preview = await salma.send(page, 'preview', { break: chosen, kind: 'assign', assignee: 'omar' });
      expect(preview.text).toContain('2 breaks · 10,000 DT');
      expect((await find(one.id)).assignee).toBeUndefined();
      const done = await salma.send(preview, 'apply');
      expect(done.byRole('status')).toEqual(['Done for all chosen breaks.']);
      expect([(await find(one.id)).assignee, (await find(two.id)).assignee]).toEqual(['omar', 'omar']);
      // The versions that the preview stated are past: a second press changes nothing.
      const again = await salma.send(preview, 'apply', { once: 'another-press' });
      expect(again.text).toContain('Done: 0. Refused: 2.');
    });

    test('takes all that fit the filter', async () => {
      await openBreak(current.api, 'f1');
      const large = await openBreak(current.api, 'f2', { amount: millimes(9_000) });
      const page = await salma.get('/console/breaks?min=6');
      const preview = await salma.send(page, 'preview', { all: 'yes', kind: 'resolve', text: 'seen' });
      await salma.send(preview, 'apply');
      expect(await find(large.id)).toMatchObject({ status: 'resolved', resolution: 'by_hand' });
      expect((await salma.get('/console/breaks')).rows).toHaveLength(1);
    });

    test('asks for a choice, and offers a reader none', async () => {
      await openBreak(current.api, 'f1');
      const page = await salma.send(await salma.get('/console/breaks'), 'preview', { kind: 'assign', assignee: 'x' });
      expect(page.byRole('alert')).toEqual(['Select at least one row.']);
      const reader = await person(current.api, { name: 'rania', roles: ['reader'] });
      expect(has(await reader.get('/console/breaks'), 'preview')).toBe(false);
    });
  });

  describe('a break', () => {
    test('shows its rows side by side, what it means and what to do', async () => {
      const [lineId = ''] = await withCredits(current.api, [4_000]);
      const subject = {
        itemIds: ['service:TX-1', 'service:TX-2'],
        lineIds: [lineId],
        facts: { trackingId: '<b>x</b>' },
      };
      const { id } = await openBreak(current.api, 'f', { subject });
      const page = await salma.get(`/console/breaks/${id}`);
      expect(page.text).toContain('To do:');
      expect(page.rows.map((cells) => cells.join(' '))).toEqual(
        expect.arrayContaining([expect.stringContaining('TX-1'), expect.stringContaining('4,000 DT')]),
      );
      expect(page.text).toContain('Total 12,500 DT');
      expect(page.text).toContain('<b>x</b>');
      expect(page.source).not.toContain('<b>x');
    });

    test('shows facts as money, days and words, without the quotes of JSON', async () => {
      const facts = {
        transactionId: '"TX-9"',
        agentId: '"AG-3007"',
        amount: '96400',
        reason: 'unknown_agent',
        expected: '2026-03-04',
        remainderMillimes: -1_500,
        outcome: 'unexplained',
      };
      const { id } = await openBreak(current.api, 'f', { subject: { itemIds: [], lineIds: [], facts } });
      const { text } = await salma.get(`/console/breaks/${id}`);
      expect(text).toContain('Agent AG-3007');
      expect(text).toContain('96,400 DT');
      expect(text).toContain('-1,500 DT');
      expect(text).toContain('unknown agent');
      expect(text).toContain('04/03/2026');
      expect(text).not.toMatch(/"AG-3007"|unknown_agent|96400/);
    });

    test('offers no step that its waiting proposal forbids, and leads to the proposal', async () => {
      await withItems(current.api);
      const proposalId = await withProposal(current.api, 'f');
      const [breakId] = (await current.api.millime.breaks.list({ includeResolved: false })).map(({ id }) => id);
      const page = await salma.get(`/console/breaks/${breakId}`);
      expect(has(page, 'comment')).toBe(true);
      expect(has(page, 'resolve')).toBe(false);
      expect(page.text).toContain('cannot be resolved before its decision');
      expect(page.links.map(({ href }) => href)).toContain(`/console/proposals/${proposalId}`);
    });

    test('takes comment, resolve and reopen, each in the history', async () => {
      const { id } = await openBreak(current.api, 'f');
      const path = `/console/breaks/${id}`;
      const commented = await salma.send(await salma.get(path), 'comment', { text: 'asked the gateway' });
      expect(commented.byRole('status')).toEqual(['The comment is added.']);
      expect(commented.text).toContain('asked the gateway');
      const resolved = await salma.send(commented, 'resolve', { reason: 'seen with the bank' });
      expect(resolved.byRole('status')).toEqual(['The break is resolved.']);
      const reopened = await salma.send(resolved, 'reopen', { reason: 'it is back' });
      expect(reopened.byRole('status')).toEqual(['The break is open again.']);
      expect((await find(id)).status).toBe('open');
    });

    test('refuses a step on an earlier version, and keeps what was typed', async () => {
      const { id } = await openBreak(current.api, 'f');
      const page = await salma.get(`/console/breaks/${id}`);
      await salma.send(page, 'comment', { text: 'first' });
      const late = await salma.send(page, 'comment', { text: 'second', once: 'another-press' });
      expect(late.status).toBe(412);
      expect(late.byRole('alert')).toHaveLength(1);
      expect(late.forms.flatMap(({ fields }) => fields)).toContainEqual(['text', 'second']);
    });

    test('shows the effect of a write-off before it is proposed', async () => {
      await withItems(current.api);
      const { id } = await openBreak(current.api, 'f');
      const page = await salma.get(`/console/breaks/${id}`);
      const typed = { kind: 'write_off', amount: 'x', reason: 'it will not be paid' };
      const wrong = await salma.send(page, 'tryPropose', typed);
      expect(wrong.status).toBe(400);
      const tried = await salma.send(wrong, 'tryPropose', { ...typed, amount: '2,000' });
      expect(tried.rows.map((cells) => cells.join(' '))).toEqual(
        expect.arrayContaining([expect.stringContaining('19,501 DT debit 17,501 DT debit')]),
      );
      expect((await find(id)).proposalId).toBeUndefined();
      const proposed = await salma.send(tried, 'propose');
      expect(proposed.byRole('status')).toEqual(['The proposal waits for another person.']);
      expect((await find(id)).status).toBe('proposed');
    });

    test('offers a reader no step', async () => {
      const { id } = await openBreak(current.api, 'f');
      const reader = await person(current.api, { name: 'rania', roles: ['reader'] });
      const page = await reader.get(`/console/breaks/${id}`);
      expect(page.status).toBe(200);
      expect(['comment', 'assign', 'resolve', 'tryPropose'].filter((action) => has(page, action))).toEqual([]);
    });
  });

  describe('the approval', () => {
    const approver = (): Promise<Visitor> => person(current.api, { name: 'karim', roles: ['approver'] });

    test('shows what changes, and is made by another person', async () => {
      await withItems(current.api);
      const proposalId = await withProposal(current.api);
      const karim = await approver();
      const list = await karim.get('/console/proposals');
      expect(list.rows[0]?.join(' ')).toContain('2,000 DT');
      const page = await karim.get(`/console/proposals/${proposalId}`);
      expect(page.text).toContain('it will not be paid');
      expect(page.text).toContain('Approve 2,000 DT');
      expect(page.rows.map((cells) => cells.join(' '))).toContainEqual(expect.stringContaining('17,501 DT debit'));
      const approved = await karim.send(page, 'approve', { reason: 'seen' });
      expect(approved.byRole('status')).toEqual(['The proposal is approved, and its effect is recorded.']);
      expect(approved.text).toContain('karim');
      const { breakWorkflow } = current.api.millime;
      expect((await breakWorkflow.shownProposal(proposalId)).proposal.decision).toMatchObject({
        outcome: 'approved',
        decidedBy: 'karim',
      });
      expect((await karim.get('/console/proposals')).text).toContain('Nothing to approve.');
      expect((await karim.get('/console/proposals?show=decided')).rows).toHaveLength(1);
    });

    test('asks for the password again after ten minutes', async () => {
      await withItems(current.api);
      const proposalId = await withProposal(current.api);
      const karim = await approver();
      const page = await karim.get(`/console/proposals/${proposalId}`);
      current.api.setClock('2026-03-06T17:15:00.000Z');
      const asked = await karim.send(page, 'approve', { reason: 'seen' });
      expect(asked.text).toContain('password');
      expect((await current.api.millime.breakWorkflow.shownProposal(proposalId)).proposal.decision).toBeUndefined();
    });

    test('is refused to the person who proposed it, who may withdraw it', async () => {
      await withItems(current.api);
      const { id } = await openBreak(current.api, 'f');
      const tried = await salma.send(await salma.get(`/console/breaks/${id}`), 'tryPropose', {
        ...{ kind: 'accept', reason: 'agreed with the bank' },
      });
      const page = await salma.send(tried, 'propose');
      expect([has(page, 'approve'), has(page, 'withdraw')]).toEqual([false, true]);
      expect((await salma.get('/console/proposals')).text).toContain('My proposals');
      const withdrawn = await salma.send(page, 'withdraw', { reason: 'a mistake' });
      expect(withdrawn.byRole('status')).toEqual(['The proposal is withdrawn.']);
      expect((await find(id)).proposalId).toBeUndefined();
    });

    test('offers only to reject what is no longer possible', async () => {
      await withItems(current.api);
      const proposalId = await withProposal(current.api);
      const { breakId = '' } = (await current.api.millime.breakWorkflow.shownProposal(proposalId)).proposal;
      const at = current.api.millime.clock.now();
      const now = aBreak('proposed', {
        amount: millimes(1_000),
        subject: { itemIds: ['service:TX-1'], lineIds: [], facts: {} },
      });
      await current.api.millime.database.transact((session) =>
        openBreakStore(session).change(breakId, now, at, 'job:test'),
      );
      const karim = await approver();
      const page = await karim.get(`/console/proposals/${proposalId}`);
      expect([has(page, 'approve'), has(page, 'reject')]).toEqual([false, true]);
      const rejected = await karim.send(page, 'reject', { reason: 'it changed' });
      expect(rejected.byRole('status')).toEqual(['The proposal is rejected.']);
    });

    test('is refused to a person who may not decide', async () => {
      await withItems(current.api);
      const proposalId = await withProposal(current.api);
      const page = await salma.get(`/console/proposals/${proposalId}`);
      expect(page.text).toContain('An approver decides.');
      expect([has(page, 'approve'), has(page, 'reject')]).toEqual([false, false]);
    });
  });
});
