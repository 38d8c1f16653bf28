// Goal: a person in the field finds an agent and reads what is due, and sees no more than their role allows.
// Method: requests of a browser without scripts, on both databases.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { OPERATOR } from '../../src/identity';
import { describeConsole, person, type Visitor } from './support/visitor';

/** Agents that a person without the directory may see in a minute. */
const LOOK_UPS_A_MINUTE = 30;
const DRY = { actor: OPERATOR, dryRun: false };

describeConsole('the pages of agents', (current) => {
  let field: Visitor;
  beforeEach(async () => {
    const { agents } = current.api.millime;
    await agents.add({ agentId: '004711', fullName: 'Salma Ben Youssef', phone: '+216 22 123 456' }, DRY);
    await agents.add({ agentId: 'AG-7', fullName: '<img src=x onerror=alert(1)>', phone: '' }, DRY);
    field = await person(current.api, { name: 'fatma', roles: ['field'] });
  });

  describe('the look-up', () => {
    test('opens the only agent that fits', async () => {
      const page = await field.send(await field.get('/console/agents/search'), 'search', { q: 'youss' });
      expect(page).toMatchObject({ status: 200, path: '/console/agents/004711', heading: 'Salma Ben Youssef' });
      expect(page.text).toContain('Due 0,000 DT');
      expect(page.text).toContain('••• 456');
      expect(page.text).not.toContain('22 123 456');
    });

    test('says what to do when no agent fits, and keeps what was typed', async () => {
      const page = await field.send(await field.get('/console/agents/search'), 'search', { q: 'nonesuch' });
      expect(page.byRole('status')).toEqual(['No agent fits. Check the id, or search a part of the name.']);
      expect(page.forms.flatMap(({ fields }) => fields)).toContainEqual(['q', 'nonesuch']);
    });

    test('records each agent that a person without the directory saw', async () => {
      await field.send(await field.get('/console/agents/search'), 'search', { q: '004711' });
      const { rows } = await current.api.millime.identity.auditRecords({ limit: 10, action: 'agent.looked_up' });
      expect(rows[0]).toMatchObject({ actorKind: 'user', actorName: 'fatma', subject: 'agent:004711' });
    });

    test('shows and records nothing past the limit, by search or by address', async () => {
      const search = await field.get('/console/agents/search');
      for (let seen = 0; seen < LOOK_UPS_A_MINUTE; seen += 1) {
        expect((await field.get('/console/agents/AG-7')).status).toBe(200);
      }
      for (const refused of [
        await field.get('/console/agents/004711'),
        await field.send(search, 'search', { q: 'youss' }),
      ]) {
        expect(refused.status).toBe(429);
        expect(refused.text).not.toContain('Salma');
      }
      const { rows } = await current.api.millime.identity.auditRecords({ limit: 50, action: 'agent.looked_up' });
      expect(rows.map(({ subject }) => subject)).toEqual(Array<string>(LOOK_UPS_A_MINUTE).fill('agent:AG-7'));
    });
  });

  describe('the dues', () => {
    const page = async (language: 'en' | 'ar') => {
      const { dues } = current.api.millime;
      const file = [
        'reference,agent_id,amount_millimes,due_date,memo',
        'D-1,004711,10000,2026-01-31,January',
        'D-2,004711,20000,2026-02-28,Recettes 2026-02',
        'D-3,004711,30000,2026-03-31,March',
        '',
      ];
      await dues.importCsv(Buffer.from(file.join('\n')), DRY);
      await current.api.confirmCode({ transactionId: 'TX-1', agentId: '004711', amount: 18_000 });
      const visitor = await person(current.api, { name: `rim-${language}`, roles: ['field'], language });
      return visitor.get('/console/agents/004711');
    };

    test('say what is left of each, because payments cover the oldest first', async () => {
      const { text } = await page('en');
      expect(text).toContain('Due 42,000 DT');
      expect(text).toMatch(/D-3 .*30,000 DT ○ 30,000 DT left/);
      expect(text).toMatch(/D-2 .*20,000 DT … 12,000 DT left/);
      expect(text).toMatch(/D-1 .*10,000 DT ✓ paid/);
    });

    test('stand apart from their memo in Arabic, whose direction is its own', async () => {
      expect((await page('ar')).source).toMatch(/ · <bdi>Recettes 2026-02<\/bdi>/);
    });
  });

  test('the page of an agent escapes a hostile name', async () => {
    const page = await field.get('/console/agents/AG-7');
    expect(page.heading).toBe('<img src=x onerror=alert(1)>');
    expect(page.source).not.toContain('<img');
  });

  test('the list of agents is refused to the field, and the refusal is recorded', async () => {
    const page = await field.get('/console/agents');
    expect(page.status).toBe(403);
    const { rows } = await current.api.millime.identity.auditRecords({ limit: 10, action: 'page.refused' });
    expect(rows).toMatchObject([{ actorName: 'fatma', subject: 'page:/agents' }]);
  });

  test('a person with the right closes an agent, once', async () => {
    const salma = await person(current.api);
    const page = await salma.get('/console/agents/004711');
    const closed = await salma.send(page, 'close');
    expect(closed.byRole('status')).toEqual(['The agent is closed.']);
    expect(await current.api.millime.agents.find('004711')).toMatchObject({ status: 'closed' });
    expect(closed.forms.some(({ fields }) => fields.some(([, value]) => value === 'close'))).toBe(false);
  });
});
