import { beforeEach, expect, test } from '@jest/globals';
import { describeOnOneDatabase } from '../support/db';
import { type CliResult, runCli, spawnedCli } from '../support/server-process';
import { Installation } from './support/installation';
import { contentsOf } from './support/tables';

// Goal: two people, each with a shell and a key, resolve the breaks of a day, and a script can follow each step.
// Method: the compiled program as a process; breaks from refused confirms, and from a payment that is posted.

// Some twenty processes, one after the other.
const LIMIT_MS = 300_000;

interface ListedBreak {
  readonly id: string;
  readonly class: string;
  readonly status: string;
  readonly severity: string;
  readonly assignee: string | null;
  readonly version: number;
  readonly amountMillimes: number | null;
}

describeOnOneDatabase('the commands for breaks', (harness) => {
  let millime: Installation;
  let keys: Readonly<Record<'leila' | 'omar', string>>;
  let ids: readonly string[] = [];

  beforeEach(async () => {
    millime = new Installation(harness.url, { clock: '2026-03-04T10:00:00+01:00' });
    await millime.seedAgents(['A'], 100_000);
    const server = await millime.serve({ role: 'http' });
    const token = await millime.token();
    for (const [transactionId, amount] of [
      ['T1', '1000000'],
      ['T2', '200'],
    ]) {
      const body = JSON.stringify({ transactionId, agentId: 'unknown', amount: Number(amount) });
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      await fetch(`${server.baseUrl}/service/confirm`, { method: 'POST', headers, body });
    }
    await server.stop();
    const create = async (name: string): Promise<string> =>
      (
        await as('', 'keys', 'create', '--recover', '--reason', 'first', '--name', name, '--scopes', 'all')
      ).stdout.trim();
    keys = { leila: await create('leila'), omar: await create('omar') };
    ids = (await list()).map(({ id }) => id);
  }, LIMIT_MS);

  const as = (key: string, ...args: string[]): Promise<CliResult> =>
    runCli(args, key === '' ? millime.env : { ...millime.env, MILLIME_API_KEY: key });

  const list = (...filter: string[]): Promise<ListedBreak[]> => millime.json(['breaks', 'list', ...filter]);

  async function done<T = Record<string, unknown>>(key: string, ...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await as(key, ...args, '--json');
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    return JSON.parse(stdout) as T;
  }

  test(
    'list by urgency, assign, comment, resolve and reopen breaks',
    async () => {
      expect(await list()).toMatchObject([
        { class: 'paid_but_rejected', status: 'open', assignee: null, version: 1 },
        { class: 'paid_but_rejected', status: 'open', assignee: null, version: 1 },
      ]);
      const [high] = await list('--severity', 'high');
      expect(high).toMatchObject({ amountMillimes: 1_000_000 });
      const text = await millime.cli('breaks', 'list');
      expect(text.stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([...ids, '']);
      const csv = await millime.cli('breaks', 'list', '--csv', '--min-amount', '1000');
      expect(csv.stdout.split('\n')).toEqual([
        expect.stringMatching(/^id,class,status,severity,since,/),
        expect.stringContaining(`${high?.id},paid_but_rejected,open,high,`),
        '',
      ]);

      // The output of the list is the input of the next command.
      const piped = await spawnedCli(['breaks', 'assign', '-', '--to', 'leila', '--dry-run', '--json'], millime.env, {
        stdin: text.stdout,
      });
      expect(JSON.parse(piped.stdout)).toMatchObject({ done: 2, refused: 0 });
      expect(await done(keys.leila, 'breaks', 'assign', '--unassigned', '--to', 'leila')).toMatchObject({
        done: 2,
        refused: 0,
      });
      expect((await list('--assignee', 'leila')).map(({ status }) => status)).toEqual(['assigned', 'assigned']);
      const letter = millime.file('letter.txt', 'they never took it');
      await done(keys.omar, 'breaks', 'comment', ids[0] ?? '', '--text', 'their answer', '--evidence', letter);
      const shown = await millime.json<{ history: unknown[] }>(['breaks', 'show', ids[0] ?? '']);
      expect(shown.history).toMatchObject([
        { kind: 'opened' },
        { kind: 'assigned', actor: 'leila', detail: { assignee: 'leila' } },
        { kind: 'commented', actor: 'omar', detail: { fileName: 'letter.txt', text: 'their answer' } },
      ]);
      await done(keys.omar, 'breaks', 'resolve', ids[0] ?? '', '--reason', 'settled', '--if-version', '3');
      const mixed = await as(keys.omar, 'breaks', 'resolve', ...ids, '--reason', 'settled', '--json');
      expect(mixed.code).toBe(2);
      expect(JSON.parse(mixed.stdout)).toMatchObject({
        done: 1,
        refused: 1,
        results: [
          { id: ids[0], outcome: 'refused', code: 'conflict' },
          { id: ids[1], outcome: 'done' },
        ],
      });
      expect(await list()).toEqual([]);
      await done(keys.leila, 'breaks', 'reopen', '--status', 'resolved', '--reason', 'the agent complains');
      expect((await list()).map(({ status }) => status)).toEqual(['assigned', 'assigned']);
    },
    LIMIT_MS,
  );

  test(
    'propose by one person and approve by another, each with a key',
    async () => {
      const [id = ''] = ids;
      const accept = ['--action', 'accept', '--reason', 'too small to ask'];
      const before = await contentsOf(millime.url);
      expect((await millime.cli('breaks', 'propose', id, ...accept)).code).toBe(2);
      expect((await millime.cli('breaks', 'resolve', id, '--reason', 'x')).code).toBe(2);
      expect(await done(keys.leila, 'breaks', 'propose', id, ...accept, '--dry-run')).toMatchObject({
        proposalId: null,
        dryRun: true,
        wouldDo: { breakBecomes: 'resolved' },
      });
      const unposted = ['--action', 'write_off', '--reason', 'x'];
      const refused = await as(keys.leila, 'breaks', 'propose', id, ...unposted);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain('no posting to write off');
      expect(await contentsOf(millime.url)).toEqual(before);

      const { proposalId } = await done<{ proposalId: string }>(keys.leila, 'breaks', 'propose', id, ...accept);
      expect(await millime.json(['breaks', 'proposals'])).toMatchObject([{ id: proposalId, proposedBy: 'leila' }]);
      const alone = await as(keys.leila, 'breaks', 'approve', id);
      expect({ code: alone.code, stderr: alone.stderr }).toEqual({
        code: 2,
        stderr: 'millime: leila made this proposal; another person must approve it\n',
      });
      expect(await done(keys.omar, 'breaks', 'approve', proposalId)).toMatchObject({ outcome: 'approved' });
      expect((await as(keys.omar, 'breaks', 'reject', proposalId, '--reason', 'late')).code).toBe(2);
      expect(await millime.json(['breaks', 'show', id])).toMatchObject({
        status: 'resolved',
        resolution: 'accepted',
        proposals: [{ decision: { outcome: 'approved', decidedBy: 'omar' } }],
      });
      const reopened = await as(keys.leila, 'breaks', 'reopen', id, '--reason', 'x');
      expect(reopened.code).toBe(2);
      expect(reopened.stdout).toContain('--action reopen --reason');
    },
    LIMIT_MS,
  );
});
