// Goal: a file of agents or dues changes nothing before its effect was shown.
// Method: requests of a browser without scripts, on both databases.
import { beforeEach, expect, test } from '@jest/globals';
import { sha256Hex } from '../../src/kernel';
import { describeConsole, person, type Visitor } from './support/visitor';

const file = (text: string, name = 'agents.csv') => ({ field: 'file', name, content: Buffer.from(text) });
const AGENTS = 'agent_id,full_name,phone\nA-1,Rim Sassi,94110027\nA-2,Salah Ouni,\n';

const PAYMENT_COLUMNS =
  'reference,amount_millimes,kind,agent_id,client_id,accept_card,session_timeout_secs,success_link,fail_link';
const SUBSCRIPTION_COLUMNS =
  'reference,amount_millimes,interval,interval_count,name,description,agent_id,client_id,max_cycles,session_timeout_secs,success_link,fail_link';

describeConsole(
  'the imports',
  (current) => {
    let finance: Visitor;
    beforeEach(async () => {
      finance = await person(current.api);
    });

    test('show what a file of agents would change, then import it without the file', async () => {
      const preview = await finance.send(await finance.get('/console/imports/agents'), 'preview', {}, file(AGENTS));
      expect(preview.text).toContain('Added 2');
      expect(preview.text).toContain('Nothing is stored yet');
      expect((await current.api.millime.dues.agents({ limit: 10, owing: false })).rows).toEqual([]);
      const done = await finance.send(preview, 'import');
      expect(done.byRole('status')).toEqual(['The file is imported.']);
      expect(done.text).toContain('Added 2');
      expect(await current.api.millime.agents.find('A-1')).toMatchObject({ fullName: 'Rim Sassi' });
    });

    test('say that all of a file is stored already', async () => {
      const first = await finance.send(await finance.get('/console/imports/agents'), 'preview', {}, file(AGENTS));
      await finance.send(first, 'import');
      const page = await finance.send(await finance.get('/console/imports/agents'), 'preview', {}, file(AGENTS));
      expect(page.text).toContain('there is nothing to import');
    });

    test('name the faults of a file by their rows', async () => {
      const bad = file('agent_id,full_name,phone\n,Rim Sassi,\nA-2,,\n');
      const page = await finance.send(await finance.get('/console/imports/agents'), 'preview', {}, bad);
      expect(page.status).toBe(422);
      expect(page.byRole('alert').join()).toMatch(/line 2.*line 3/);
    });

    test.each(['agents', 'dues'])('ask for a file of %s', async (kind) => {
      const page = await finance.send(await finance.get(`/console/imports/${kind}`), 'preview');
      expect(page.status).toBe(400);
      expect(page.byRole('alert').join()).toContain('Choose a file');
    });

    test('refuse a carried file that is none', async () => {
      const preview = await finance.send(await finance.get('/console/imports/agents'), 'preview', {}, file(AGENTS));
      const page = await finance.send(preview, 'import', { content: 'H4sIbroken' });
      expect(page.status).toBe(400);
      expect((await current.api.millime.dues.agents({ limit: 10, owing: false })).rows).toEqual([]);
    });

    test('show the amount that a file of dues adds', async () => {
      const first = await finance.send(await finance.get('/console/imports/agents'), 'preview', {}, file(AGENTS));
      await finance.send(first, 'import');
      const dues = file('reference,agent_id,amount_millimes,due_date,memo\nD-1,A-1,2500,2026-03-10,\n', 'dues.csv');
      const preview = await finance.send(await finance.get('/console/imports/dues'), 'preview', {}, dues);
      expect(preview.text).toContain('Added amount 2,500 DT');
      await finance.send(preview, 'import');
      expect((await finance.get('/console/agents/A-1')).text).toContain('2,500 DT');
    });

    test.each([
      ['payments', `${PAYMENT_COLUMNS}\nP-1,12500,standard,,,,,,\n`, 'See the payments'],
      ['subscriptions', `${SUBSCRIPTION_COLUMNS}\nS-1,9000,month,1,Gym,,,C-1,,,,\n`, 'See the subscriptions'],
    ])('queue a file of %s once', async (kind, text, link) => {
      const path = `/console/imports/${kind}`;
      const preview = await finance.send(await finance.get(path), 'preview', {}, file(text));
      expect(preview.text).toContain('Added 1');
      const done = await finance.send(preview, 'import');
      const [found] = done.links.filter((each) => each.text === link);
      expect((await finance.get(found?.href ?? '')).rows).toHaveLength(1);
      const again = await finance.send(await finance.get(path), 'preview', {}, file(text));
      expect(again.text).toContain('there is nothing to import');
    });

    test('refuse another file than the one that was checked', async () => {
      const preview = await finance.send(await finance.get('/console/imports/agents'), 'preview', {}, file(AGENTS));
      // As after a preview of a file that is too large to be carried.
      const fields = { content: '', digest: sha256Hex('another') };
      const page = await finance.send(preview, 'import', fields, file(AGENTS));
      expect(page.status).toBe(400);
      expect(page.byRole('alert').join()).toContain('not the file that was checked');
      expect((await current.api.millime.dues.agents({ limit: 10, owing: false })).rows).toEqual([]);
      const done = await finance.send(preview, 'import', { content: '', digest: sha256Hex(AGENTS) }, file(AGENTS));
      expect(done.byRole('status')).toEqual(['The file is imported.']);
    });
  },
  { hasGateway: true },
);
