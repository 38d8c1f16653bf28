import { beforeEach, expect, test } from '@jest/globals';
import { describeOnOneDatabase } from '../support/db';
import { type CliResult, runCli } from '../support/server-process';
import { call } from './support/call';
import { Installation } from './support/installation';
import { selectRows } from './support/tables';

// Goal: a day is closed on the command line, late entries go to the next one, and two people reopen it.
// Method: the compiled program as a process, one confirm in each day, and its output.

const LIMIT_MS = 300_000;
const MONDAY = '2026-03-02';
const REASON = 'the account is not in use yet';

describeOnOneDatabase('close-day', (harness) => {
  let millime: Installation;

  const confirmed = async (transactionId: string, amount: number): Promise<void> => {
    const token = await millime.token();
    const service = await millime.serve({ role: 'http' });
    const body = { transactionId, agentId: '004711', amount };
    const answer = await call(service.baseUrl, { method: 'POST', path: '/service/confirm', token, body });
    expect(answer.body).toMatchObject({ code: '0' });
    await service.stop();
  };

  const as = (key: string, ...args: string[]): Promise<CliResult> =>
    runCli(args, { ...millime.env, MILLIME_API_KEY: key });

  beforeEach(async () => {
    millime = new Installation(harness.url, { clock: '2026-03-02T09:00:00+01:00' });
    await millime.seedAgents(['004711'], 50_000);
    await confirmed('T-1', 10_000);
  });

  test(
    'proves the day, seals it once, and reports changed and late rows',
    async () => {
      const tooEarly = await millime.cli('close-day', MONDAY, '--reason', REASON);
      expect({ ...tooEarly, stderr: tooEarly.stderr.split('\n').slice(0, 2) }).toEqual({
        code: 2,
        stdout: '',
        stderr: ['millime: cannot close 2026-03-02', '  the day can be closed from 2026-03-03 00:01:00'],
      });
      millime.setClock('2026-03-04T09:00:00+01:00');
      await millime.cli('reconcile', '--through', MONDAY);
      const dry = await millime.json<{ outcome: string; obstacles: string[] }>(['close-day', MONDAY, '--dry-run'], 3);
      expect(dry).toMatchObject({
        outcome: 'dry_run',
        obstacles: ['no statement covers it; import one, or state with --reason why the day is closed without it'],
        obstacleDetails: [{ code: 'no_statement', params: {}, detail: 'no statement covers it' }],
      });

      const closed = await millime.json<{ digest: string }>(['close-day', MONDAY, '--reason', REASON]);
      expect(closed).toMatchObject({
        outcome: 'closed',
        number: 1,
        channels: [
          {
            channel: 'agent',
            openingMillimes: 0,
            movements: { succeededMillimes: 10_000 },
            closingMillimes: 10_000,
            ...{ recordedLaterMillimes: 0, datedLaterMillimes: 0, ledgerDateClosingMillimes: 10_000 },
            lines: [
              { amountMillimes: 10_000, items: 1, oldest: MONDAY },
              { label: 'unexplained', amountMillimes: 0 },
            ],
          },
        ],
      });
      const again = await millime.cli('close-day', MONDAY, '--reason', REASON);
      expect(again.code).toBe(0);
      expect(again.stdout).toContain(`2026-03-02: already closed, seal 1 ${closed.digest}\n`);

      // A machine whose clock is behind.
      millime.setClock('2026-03-02T22:00:00+01:00');
      await confirmed('T-2', 500);
      expect(await selectRows(millime.url, 'select recorded_at from ledger_late_transactions')).toEqual([
        { recorded_at: Date.parse('2026-03-03T00:00:00+01:00') },
      ]);
      expect(await millime.brokenInvariants()).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'closes several days in their order, each under its own seal, until one that cannot be closed',
    async () => {
      millime.setClock('2026-03-05T09:00:00+01:00');
      await millime.cli('reconcile', '--through', '2026-03-04');
      const args = ['close-day', MONDAY, '--through', '2026-03-06', '--reason', REASON];
      const dry = await millime.cli(...args, '--dry-run');
      expect(dry).toMatchObject({ code: 3, stderr: '' });
      expect(dry.stdout.trimEnd().split('\n')).toEqual([
        ...[MONDAY, '2026-03-03', '2026-03-04'].map((day) => `Would close ${day} (dry run)`),
        'cannot close: the day can be closed from 2026-03-06 00:01:00',
        'cannot close: no run has reconciled it since it ended; run "millime reconcile --through 2026-03-05"',
        'Would not close 2026-03-05 (dry run)',
      ]);
      const refused = await millime.cli(...args);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot close 2026-03-05\n') });
      const lines = refused.stdout.trimEnd().split('\n');
      expect(lines.map((line) => line.replace(/ [0-9a-f]{64}$/, ' DIGEST'))).toEqual([
        `${MONDAY}: closed, seal 1 DIGEST`,
        '2026-03-03: closed, seal 2 DIGEST',
        '2026-03-04: closed, seal 3 DIGEST',
      ]);
      const again = await millime.json<{ outcome: string; date: string }[]>([...args.slice(0, 3), '2026-03-03']);
      expect(again).toMatchObject([
        { date: MONDAY, number: 1 },
        { date: '2026-03-03', number: 2 },
      ]);
      for (const wrong of [['--through', '2026-03-01'], ['--list']]) {
        expect(await millime.cli('close-day', MONDAY, ...wrong)).toMatchObject({ code: 2, stdout: '' });
      }
    },
    LIMIT_MS,
  );

  test(
    'reopens a closed day with two people and keeps both seals',
    async () => {
      millime.setClock('2026-03-04T09:00:00+01:00');
      await millime.cli('reconcile', '--through', MONDAY);
      await millime.json(['close-day', MONDAY, '--reason', REASON]);
      const { key: salma } = await millime.json<{ key: string }>([
        'keys',
        'create',
        '--name',
        'salma',
        '--scopes',
        'all',
      ]);
      const { stdout } = await as(salma, 'keys', 'create', '--name', 'omar', '--scopes', 'days:reopen,days:close');
      const omar = stdout.trim();

      const alone = await millime.cli('close-day', MONDAY, '--reopen', '--reason', 'a fee is missing');
      expect(alone.code).toBe(2);
      expect((await as(salma, 'close-day', MONDAY, '--reopen', '--reason', 'a fee is missing')).code).toBe(0);
      const own = await as(salma, 'close-day', MONDAY, '--reopen', '--approve');
      expect(own).toEqual({
        code: 2,
        stdout: '',
        stderr: 'millime: salma made this proposal; another person must approve it\n',
      });
      const approved = await as(omar, 'close-day', MONDAY, '--reopen', '--approve');
      expect(approved.stdout).toBe('2026-03-02: reopened by salma and omar; seal 1 stays on record\n');
      expect((await as(omar, 'close-day', MONDAY, '--reason', REASON)).code).toBe(0);

      const chain = await millime.json<unknown[]>(['close-day', '--list']);
      expect(chain).toMatchObject([
        { number: 1, kind: 'closed', stands: false, reopeningProposed: { by: 'salma', reason: 'a fee is missing' } },
        { number: 2, kind: 'reopened', stands: false, recordedBy: 'omar' },
        { number: 3, kind: 'closed', stands: true, recordedBy: 'omar' },
      ]);
      expect(await millime.brokenInvariants()).toEqual([]);
    },
    LIMIT_MS,
  );
});
