// Goal: finance proves a day before closing it, two approvers open it again, and runs and fees are read and decided.
// Method: requests of a browser without scripts, on both databases.
import { describe, expect, test } from '@jest/globals';
import {
  MONDAY,
  openBreak,
  withClosedDay,
  withCredits,
  withItems,
  withRun,
} from '../api/v1/support/scenarios/credit-world';
import { describeConsole, person } from './support/visitor';

const RULE = {
  ...{ channel: 'card', rate_ppm: 15_000, fixed_millimes: 100, tva_ppm: 190_000 },
  ...{ rounding: 'half_up', basis: 'item' },
};
const DAY = `/console/days/${MONDAY}`;

describeConsole('the pages of days and runs', (current) => {
  describe('a day', () => {
    test('names what hinders its closing, each with the way to it', async () => {
      await withItems(current.api);
      const salma = await person(current.api);
      const page = await salma.get(DAY);
      const obstacles = page.links.filter(({ href }) => href.startsWith('/console/runs?'));
      expect(obstacles).toEqual([{ href: `/console/runs?through=${MONDAY}`, text: 'Start a run' }]);
      expect(page.links.map(({ href }) => href)).toContain('/console/bank/import');
      expect(page.text).toContain('No run has reconciled the day since it ended.');
    });

    test('is proven first, and then closed', async () => {
      await withRun(current.api);
      const salma = await person(current.api);
      const open = await salma.get(DAY);
      expect(open.forms.flatMap(({ fields }) => fields)).not.toContainEqual(['action', 'close']);
      const proven = await salma.send(open, 'prove', { reason: 'no statement yet' });
      expect(proven.text).toContain('Nothing hinders the closing.');
      expect(proven.rows.map(([channel]) => channel)).toContain('agents');
      expect((await current.api.millime.dayClosing.list({ limit: 1 })).rows).toEqual([]);
      const closed = await salma.send(proven, 'close');
      expect(closed.byRole('status')).toEqual(['The day is closed.']);
      expect(closed.text).toContain('Proof under seal 1');
    });

    test('is opened again by two approvers, of whom neither is enough', async () => {
      await withClosedDay(current.api);
      const karim = await person(current.api, { name: 'karim', roles: ['approver'] });
      const proposed = await karim.send(await karim.get(DAY), 'propose', { reason: 'a late statement' });
      expect(proposed.text).toContain('You proposed it. Another person must approve it.');
      expect(proposed.forms.flatMap(({ fields }) => fields)).not.toContainEqual(['action', 'approve']);
      const nadia = await person(current.api, { name: 'nadia', roles: ['approver'] });
      const done = await nadia.send(await nadia.get(DAY), 'approve');
      expect(done.byRole('status')).toEqual(['The day is reopened.']);
      expect(done.text).toContain('reopened');
    });

    test('is not found if its date is none', async () => {
      const salma = await person(current.api);
      expect((await salma.get('/console/days/2026-02-30')).status).toBe(404);
    });
  });

  test('the calendar shows the states of a month, and verifies the seals', async () => {
    await withClosedDay(current.api);
    const salma = await person(current.api);
    const page = await salma.get('/console/days?month=2026-03');
    expect(page.rows.flat()).toContain('2 Monday, 2 March 2026 ✓ closed');
    expect(page.rows.flat()).toContain('3 Tuesday, 3 March 2026 ○ open');
    expect((await salma.send(page, 'verify')).byRole('status')[0]).toBe('✓ Every closed day agrees with its seal.');
  });

  describe('a run', () => {
    test('is tried first, which changes nothing, and then started', async () => {
      await withCredits(current.api, [12_500]);
      // Another module found it, and no run does.
      await openBreak(current.api, 'refused', { breakClass: 'paid_but_rejected' });
      const salma = await person(current.api);
      const trial = await salma.send(await salma.get('/console/runs'), 'try', { through: '2026-03-05' });
      expect(trial.text).toContain('Dry run: nothing was stored.');
      expect(trial.text).toContain('Breaks that stay 1');
      expect(trial.text).toContain('Breaks after this run');
      const { reconciliation } = current.api.millime;
      expect((await reconciliation.runs({ limit: 1 })).rows).toEqual([]);
      const done = await salma.send(trial, 'run');
      const [run] = (await reconciliation.runs({ limit: 1 })).rows;
      expect(run).toMatchObject({ through: '2026-03-05', recordedBy: 'salma' });
      expect(done.path).toContain(`/console/runs/${run?.id}`);
      expect(done.byRole('status')[0]).toBe('The run has ended.');
    });

    test('is replayed on its inputs', async () => {
      const id = await withRun(current.api);
      const salma = await person(current.api);
      const page = await salma.send(await salma.get(`/console/runs/${id}`), 'replay');
      expect(page.text).toContain('The result is the same.');
    });

    test('is started by finance alone', async () => {
      const rania = await person(current.api, { name: 'rania', roles: ['reader'] });
      const page = await rania.get('/console/runs');
      expect(page.status).toBe(200);
      expect(page.forms.flatMap(({ fields }) => fields)).not.toContainEqual(['action', 'try']);
    });
  });

  test('fees that a run learned are confirmed with a reason, once', async () => {
    await current.api.millime.database.transact(async (session) => {
      const learned = { id: '0'.repeat(26), run_id: '', credits: '[]', recorded_at: 0, recorded_by: 'test' };
      await session('payout_fee_schedules').insert({ ...learned, rules: JSON.stringify([RULE]) });
    });
    const salma = await person(current.api);
    const page = await salma.get('/console/fees');
    expect(page.rows[0]?.slice(0, 4)).toEqual(['card', '1,5 %', '0,100 DT', '19 %']);
    const confirmed = await salma.send(page, 'confirm', { reason: 'as in the contract' });
    expect(confirmed.byRole('status')).toEqual(['The fee schedule is confirmed.']);
    expect(confirmed.text).toContain('by salma');
    expect(confirmed.forms.flatMap(({ fields }) => fields)).not.toContainEqual(['action', 'confirm']);
  });

  test('fees are given for each channel, after they were shown', async () => {
    const salma = await person(current.api);
    const page = await salma.get('/console/fees');
    const at = page.forms.flatMap(({ fields }) => fields).find(([, value]) => value === 'card')?.[0] ?? '';
    const name = (field: string): string => at.replace('channel', field);
    const typed = { [name('rate')]: '1.75', [name('fixed')]: '0,100', [name('tva')]: '19 %', reason: 'new contract' };
    const wrong = await salma.send(page, 'preview', { ...typed, [name('rate')]: 'two' });
    expect(wrong.byRole('alert').join()).toContain('Enter a rate in percent');
    expect(wrong.forms.flatMap(({ fields }) => fields)).toContainEqual([name('rate'), 'two']);
    const preview = await salma.send(page, 'preview', typed);
    expect(preview.rows.map((row) => row.slice(0, 4))).toEqual([['card', '1,75 %', '0,100 DT', '19 %']]);
    expect((await salma.get('/console/fees')).rows).toEqual([]);
    const given = await salma.send(preview, 'give');
    expect(given.byRole('status')).toEqual(['The fees are in force.']);
    expect(given.rows[0]?.slice(0, 3)).toEqual(['card', '1,75 %', '0,100 DT']);
  });
});
