// Goal: a person explains a credit of the bank on a page without scripts, alone if the amounts agree, otherwise by two.
// Method: payments, a statement and runs on both databases; requests of browsers of several people.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { businessDate } from '../../src/kernel';
import { type Api } from '../api/support/api';
import { ITEMS, ITEMS_SUM, withCredits, withMatch } from '../api/v1/support/scenarios/credit-world';
import { BY_TEST } from '../support/factories';
import { describeConsole, person, type Seen, type Visitor } from './support/visitor';

const THROUGH = businessDate('2026-03-05');

/** Credits of these amounts, and a run that found what is unpaid. */
async function withOpenCredits(api: Api, amounts: readonly number[]): Promise<string[]> {
  const lineIds = await withCredits(api, amounts);
  await api.millime.reconciliation.run({ through: THROUGH, ...BY_TEST });
  return lineIds;
}

/** Returns the boxes of a page that are checked. */
function checked(page: Seen): string[] {
  const form = page.forms.find(({ fields }) => fields.some(([name]) => name === 'cursor'));
  return (form?.fields ?? []).filter(([name]) => name === 'item').map(([, value]) => value);
}

describeConsole('the pages of credits', (current) => {
  let salma: Visitor;
  beforeEach(async () => {
    current.api.setClock('2026-03-06T17:00:00.000Z');
    salma = await person(current.api);
  });

  describe('the list', () => {
    test('shows what nothing explains, with its break and the cut-off of the last run', async () => {
      const [lineId = ''] = await withOpenCredits(current.api, [99_000]);
      const page = await salma.get('/console/credits');
      expect(page.text).toContain('05/03/2026');
      expect(page.rows).toHaveLength(1);
      expect(page.links.map(({ href }) => href)).toContain(`/console/credits/${lineId}`);
    });

    test('says that all is explained, and shows the explained ones when asked', async () => {
      const lineId = await withMatch(current.api);
      expect((await salma.get('/console/credits')).text).toContain('Everything is explained');
      const page = await salma.get('/console/credits?show=explained&from=&to=&min=12,5');
      expect(page.links.map(({ href }) => href)).toContain(`/console/credits/${lineId}`);
      expect(page.heading).toBe('Explained credits');
      expect((await salma.get('/console/credits?show=explained&min=12,501')).text).toContain('Nothing fits');
    });

    test('keeps an amount that is none, and says so beside the field', async () => {
      const page = await salma.get('/console/credits?min=abc');
      expect(page.text).toContain('dinars');
      expect(page.forms.flatMap(({ fields }) => fields)).toContainEqual(['min', 'abc']);
    });
  });

  describe('a credit that nothing explains', () => {
    test('offers what is unpaid with the running net and what is left of the credit', async () => {
      const [lineId = ''] = await withOpenCredits(current.api, [99_000]);
      const page = await salma.get(`/console/credits/${lineId}`);
      expect(page.rows.filter((cells) => cells.some((cell) => cell.includes('Up to here')))).toHaveLength(3);
      expect(page.text).toContain('79,499 DT'); // 99,000 less the three items
      expect(checked(page)).toEqual([]);
      expect(page.source).toContain('href="/console/payments/service%3ATX-1" target="_blank" rel="noopener"');
    });

    test('chooses up to one item, and adds up without scripts', async () => {
      const [lineId = ''] = await withOpenCredits(current.api, [99_000]);
      const page = await salma.get(`/console/credits/${lineId}`);
      const upTo = await salma.send(page, 'choose', { take: [], upTo: 'service:TX-2' });
      expect(checked(upTo)).toEqual(ITEMS);
      expect(upTo.text).toContain('2 items, rest 86,500 DT');
      const single = await salma.send(upTo, 'choose', { take: [], item: ['service:TX-3'] });
      expect(checked(single)).toEqual(['service:TX-3']);
      expect(single.text).toContain('1 item, rest 91,999 DT');
    });

    test('says what to choose when nothing is chosen', async () => {
      const [lineId = ''] = await withOpenCredits(current.api, [99_000]);
      const page = await salma.send(await salma.get(`/console/credits/${lineId}`), 'choose');
      expect(page.status).toBe(400);
      expect(page.byRole('alert').join()).toContain('Check at least one item');
      expect(page.links.map(({ href }) => href)).toContain('#field-item');
      expect(page.source).toContain('id="field-item"');
    });

    test('is explained when a person asks, if it came after the last run', async () => {
      const [lineId = ''] = await withCredits(current.api, [ITEMS_SUM]);
      const page = await salma.get(`/console/credits/${lineId}`);
      expect(page.text).toContain('No explanation of this credit is stored');
      const explained = await salma.send(page, 'explain');
      expect(explained.status).toBe(200);
      expect(explained.text).not.toContain('No explanation of this credit is stored');
      expect(explained.text).toContain('No explanation was found. Choose the items by hand.');
    });

    test('is matched by one person if nothing is left', async () => {
      const [lineId = ''] = await withOpenCredits(current.api, [ITEMS_SUM, 99_000]);
      const { reconciliation } = current.api.millime;
      const before = await reconciliation.explain(lineId);
      if (before.match !== undefined) await reconciliation.unmatch({ lineId, reason: 'another set', ...BY_TEST });
      const page = await salma.get(`/console/credits/${lineId}`);
      const chosen = await salma.send(page, 'choose', { take: [], item: ITEMS });
      expect(chosen.byRole('status')).toEqual(['✓ 2 items make the amount of the credit: nothing is left.']);
      const refused = await salma.send(chosen, 'match', { reason: '' });
      expect(refused.status).toBe(400);
      expect(refused.byRole('alert')).toHaveLength(1);
      const matched = await salma.send(refused, 'match', { reason: 'counted' });
      expect(matched.byRole('status')).toEqual(['The credit is matched.']);
      expect(matched.text).toContain('counted');
      expect((await reconciliation.explain(lineId)).match).toMatchObject({ kind: 'forced', remainder: 0 });
    });

    test('is proposed to another person if an amount is left, after its effect was shown', async () => {
      const [lineId = ''] = await withOpenCredits(current.api, [99_000]);
      const page = await salma.get(`/console/credits/${lineId}`);
      const chosen = await salma.send(page, 'choose', { take: [], item: ITEMS });
      expect(chosen.text).toContain('Remainder: 86,500 DT');
      expect(chosen.rows.some(([name]) => name?.startsWith('clearing') === true)).toBe(true);
      expect(chosen.forms.some(({ fields }) => fields.some(([, value]) => value === 'match'))).toBe(false);
      const proposed = await salma.send(chosen, 'propose', { reason: 'the rest is a gift' });
      expect(proposed.path).toMatch(/^\/console\/proposals\//);
      const { rows } = await current.api.millime.breakWorkflow.proposals({
        waiting: true,
        limit: 10,
        after: undefined,
        proposedBy: undefined,
      });
      expect(rows).toMatchObject([{ action: { kind: 'force_match' }, proposedBy: 'salma' }]);
    });

    test('shows the sums to a reader, and no decision', async () => {
      const [lineId = ''] = await withOpenCredits(current.api, [ITEMS_SUM + 1]);
      const reader = await person(current.api, { name: 'rania', roles: ['reader'] });
      const page = await reader.get(`/console/credits/${lineId}`);
      const chosen = await reader.send(page, 'choose', { take: [], item: ITEMS });
      expect(chosen.text).toContain('2 items, rest 0,001 DT');
      expect(chosen.text).toContain('You lack the right to decide');
    });

    test('keeps the page when an item that was chosen is paid meanwhile', async () => {
      const [lineId = '', other = ''] = await withOpenCredits(current.api, [99_000, ITEMS_SUM + 1]);
      const page = await salma.get(`/console/credits/${lineId}`);
      await current.api.millime.reconciliation
        .match({ lineId: other, items: ['service:TX-1'], reason: 'x', ...BY_TEST })
        .catch(() => undefined);
      const chosen = await salma.send(page, 'choose', { take: [], item: ['service:NONE'] });
      expect(chosen.byRole('alert')).toHaveLength(1);
      expect(chosen.heading).toContain('05/03/2026');
    });
  });

  describe('a matched credit', () => {
    test('shows its items by channel, which add up to it, and who matched it', async () => {
      const lineId = await withMatch(current.api);
      const page = await salma.get(`/console/credits/${lineId}`);
      expect(page.text).toContain('12,500 DT − 0,000 DT − 0,000 DT = 12,500 DT');
      expect(page.links.map(({ href }) => href)).toContain('/console/payments/service%3ATX-1');
      expect(page.text).toContain('counted');
    });

    test('is unmatched with a reason, and then states what was undone', async () => {
      const lineId = await withMatch(current.api);
      const page = await salma.get(`/console/credits/${lineId}`);
      expect(page.text).toContain('2 items (12,500 DT) become unpaid again');
      const undone = await salma.send(page, 'unmatch', { reason: 'of another day' });
      expect(undone.byRole('status')).toEqual(['The match is undone. The credit waits for a person.']);
      expect(undone.text).toContain('of another day');
      expect((await current.api.millime.reconciliation.explain(lineId)).match).toBeUndefined();
    });

    test('offers a reader no decision, and refuses it', async () => {
      const lineId = await withMatch(current.api);
      const reader = await person(current.api, { name: 'rania', roles: ['reader'] });
      const page = await reader.get(`/console/credits/${lineId}`);
      expect(page.forms.some(({ fields }) => fields.some(([, value]) => value === 'unmatch'))).toBe(false);
    });
  });

  describe('the unpaid items', () => {
    test('state the run that found them, and filter by channel', async () => {
      expect((await salma.get('/console/unpaid')).text).toContain('No run yet');
      await withOpenCredits(current.api, [99_000]);
      const page = await salma.get('/console/unpaid');
      expect(page.rows).toHaveLength(3);
      expect(page.text).toContain('19,501 DT');
      expect((await salma.get('/console/unpaid?channel=card')).text).toContain('Nothing fits');
    });
  });
});
