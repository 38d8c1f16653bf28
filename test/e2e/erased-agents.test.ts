// Goal: after `agents erase` the files of an embedded database contain no byte of the name and the phone, whatever
// serves and wherever the command dies; and the erasures of a list are repeated on a restored backup.
// Method: the compiled commands on databases with canaries; the files are searched as bytes.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { sqliteDriver } from '../../src/db';
import { describeOnEachDatabase, unmigratedDatabaseUrl } from '../support/db';
import { spawnedCli } from '../support/server-process';
import { Installation } from './support/installation';
import { confirmsFor, Journal, sendConfirms } from './support/journal';
import { SignalledCommand } from './support/signalled-command';
import { selectRows } from './support/tables';
import { until } from './support/until';

const LIMIT_MS = 240_000;
const AGENTS = 1_500;
const POINTS_MAX = 40;
const REASON = ['--reason', 'request 2026-17'];

const idOf = (index: number): string => `AG-${(index * 7_919) % 10_007}`;
const nameOf = (index: number): string => `Canary${index}x Ben ${'y'.repeat(index % 40)}`;
const phoneOf = (index: number): string => `+216 9${String(index).padStart(7, '0')}`;

/** Returns the indexes of agents whose name or phone is in a file of the database. */
function foundIn(database: string, indexes: readonly number[]): number[] {
  const files = ['', '-wal', '-journal'].map((suffix) => `${database}${suffix}`).filter((file) => existsSync(file));
  const bytes = files.map((file) => readFileSync(file, 'latin1')).join('\n');
  // The words of the search are folded, and their phones have no country code.
  const textsOf = (index: number): string[] => {
    const phone = phoneOf(index);
    return [`Canary${index}x`, `canary${index}x`, phone, phone.replace('+216 ', '+')];
  };
  return indexes.filter((index) => textsOf(index).some((text) => bytes.includes(text)));
}

/** Agents in an order that divides pages, then other names for some, so that earlier bytes stay in the file. */
async function importCanaries(millime: Installation): Promise<void> {
  const indexes = Array.from({ length: AGENTS }, (_, index) => index);
  const csv = (lines: readonly string[]): string => ['agent_id,full_name,phone', ...lines].join('\n');
  const lines = indexes.map((index) => `${idOf(index)},${nameOf(index)},${phoneOf(index)}`);
  await millime.json(['agents', 'import', millime.file('agents.csv', csv(lines))]);
  const renamed = indexes
    .filter((index) => index % 3 === 0)
    .map((index) => `${idOf(index)},${nameOf(index)} ${'z'.repeat(index % 50)},${phoneOf(index)}`);
  await millime.json(['agents', 'import', millime.file('renamed.csv', csv(renamed))]);
}

describe('millime agents erase on sqlite', () => {
  test(
    'S32: leaves no byte of 150 names and phones in the files, beside a service that confirms',
    async () => {
      const url = await unmigratedDatabaseUrl('sqlite');
      const database = url.slice('sqlite:'.length);
      const millime = new Installation(url);
      await importCanaries(millime);
      await millime.seedAgents(['PAYER-1', 'PAYER-2'], 1_000_000);
      const token = await millime.token();
      const service = await millime.serve({ role: 'http' });
      const journal = new Journal();
      const load = { clients: 2, baseUrl: () => service.baseUrl, token, journal };
      const sent = sendConfirms({ ...load, confirms: confirmsFor(['PAYER-1', 'PAYER-2'], 400, 'T') });
      await until('answers', () => journal.count('0') >= 20);

      const erased = Array.from({ length: AGENTS }, (_, index) => index).filter((index) => index % 10 === 3);
      expect(foundIn(database, erased)).toEqual(erased);
      const done = await millime.json<{ results: { outcome: string }[]; files: string }>([
        ...['agents', 'erase', ...erased.map(idOf), ...REASON],
      ]);
      expect(done.files).toBe('rewritten');
      expect(new Set(done.results.map(({ outcome }) => outcome))).toEqual(new Set(['erased']));
      expect(foundIn(database, erased)).toEqual([]);
      expect(foundIn(database, [4, 5])).toEqual([4, 5]);

      await sent;
      expect(journal.attempts.filter(({ reply }) => reply !== '0')).toEqual([]);
      await service.stop();
      expect(await millime.brokenInvariants()).toEqual([]);
      expect(foundIn(database, erased)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'S32: reports a reader that keeps the earlier pages of the log, and removes them the second time',
    async () => {
      const url = await unmigratedDatabaseUrl('sqlite');
      const database = url.slice('sqlite:'.length);
      const millime = new Installation(url);
      await importCanaries(millime);
      const reader = new (sqliteDriver())(database);
      reader.exec('begin');
      reader.prepare('select count(*) from agents').get();
      const first = await millime.cli('agents', 'erase', idOf(3), ...REASON);
      expect(first.stdout).toBe(`erased agent ${idOf(3)}\n`);
      expect(first.stderr).toContain('run the command again after it ends');
      expect(first.code).toBe(1);
      reader.exec('commit');
      reader.close();
      const second = await millime.cli('agents', 'erase', idOf(3), ...REASON);
      expect([second.code, second.stdout, second.stderr]).toEqual([
        ...[0, `agent ${idOf(3)}: already erased; nothing was changed\n`, ''],
      ]);
      expect(foundIn(database, [3])).toEqual([]);
    },
    LIMIT_MS,
  );
});

describeOnEachDatabase('millime agents erase', (harness) => {
  test(
    'S32: erases all or nothing of an agent, wherever it dies, and ends the work when it is repeated',
    async () => {
      const millime = new Installation(harness.url);
      const lines = Array.from(
        { length: POINTS_MAX },
        (_, index) => `K-${index},Canary${index}x Said,${phoneOf(index)}`,
      );
      const csv = millime.file('agents.csv', ['agent_id,full_name,phone', ...lines].join('\n'));
      await millime.json(['agents', 'import', csv]);
      let points = 0;
      for (let point = 1; point <= POINTS_MAX; point += 1) {
        const agentId = `K-${point - 1}`;
        const args = ['agents', 'erase', agentId, ...REASON];
        const { signal } = await new SignalledCommand(millime, args, { signalAt: { point, signal: 'SIGKILL' } }).ended;
        const [agent] = await selectRows(
          harness.url,
          `select full_name, phone, status, erased_at is not null as is_erased from agents where agent_id = '${agentId}'`,
        );
        const records = await selectRows(
          harness.url,
          `select id from audit_records where action = 'agent.erased' and subject = 'agent:${agentId}'`,
        );
        const [name, phone, status, isErased] = Object.values(agent ?? {}).map(String);
        expect([name, phone, status, isErased, records.length]).toEqual(
          isErased === '1'
            ? ['erased', '', 'closed', '1', 1]
            : [`Canary${point - 1}x Said`, phoneOf(point - 1), 'open', '0', 0],
        );
        expect((await millime.cli(...args)).code).toBe(0);
        if (harness.dialect === 'sqlite') expect(foundIn(harness.url.slice('sqlite:'.length), [point - 1])).toEqual([]);
        if (signal === null) break;
        points = point;
      }
      expect(points).toBeGreaterThan(1);
      expect(points).toBeLessThan(POINTS_MAX);
      expect(await millime.brokenInvariants()).toEqual([]);
    },
    LIMIT_MS,
  );

  test('S32: refuses some and erases the others, with their reasons and exit code 2', async () => {
    const millime = new Installation(harness.url);
    await millime.seedAgents(['OWES'], 5_000);
    await millime.json(['agents', 'add', '--id', 'FREE 1', '--name', 'Nour Said']);
    const dry = await millime.cli('agents', 'erase', 'OWES', 'FREE 1', 'NONE', ...REASON, '--dry-run');
    expect(dry.stdout).toContain('Would erase agent FREE 1 (dry run)');
    const { code, stdout } = await millime.cli('agents', 'erase', 'OWES', 'FREE 1', 'NONE', ...REASON);
    expect(code).toBe(2);
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(
        /^agent OWES: refused: agent OWES owes 5,000 DT; .*nothing was erased; run "millime dues cancel <reference> --reason <text>" to cancel a due$/,
      ),
      'erased agent FREE 1',
      'agent NONE: refused: agent not found: "NONE"',
    ]);
    expect((await millime.cli('agents', 'show', 'FREE 1')).stdout).toMatch(/^FREE 1 {2}erased {2}erased\n/);
    const named = await millime.cli('agents', 'erase', 'OWES', '--reason', 'Agent 1 asked');
    expect(named.stdout).toMatch(/^agent OWES: refused: reason: contains the agent's name or phone/);
    expect(named.code).toBe(2);
  });
});

test(
  'S32: a restored older backup is erased again from the list of "agents list --status erased"',
  async () => {
    const url = await unmigratedDatabaseUrl('sqlite');
    const millime = new Installation(url);
    await importCanaries(millime);
    const backup = join(millime.folder, 'old.backup');
    await millime.json(['backup', backup, '--without-keys']);
    await millime.json(['agents', 'erase', idOf(3), idOf(13), ...REASON]);
    const list = (await millime.cli('agents', 'list', '--status', 'erased')).stdout;
    expect(
      list
        .trim()
        .split('\n')
        .map((line) => line.split('  ')[0])
        .sort(),
    ).toEqual([idOf(13), idOf(3)].sort());

    const folder = join(millime.folder, 'restored');
    await millime.json(['restore', backup, '--into', folder]);
    const database = join(folder, basename(url));
    expect(foundIn(database, [3, 13])).toEqual([3, 13]);
    const env = { ...millime.env, DATABASE_URL: `sqlite:${database}` };
    const again = await spawnedCli(['agents', 'erase', '-', ...REASON], env, { stdin: list });
    expect([again.code, again.stdout.trim().split('\n').length]).toEqual([0, 2]);
    expect(foundIn(database, [3, 13])).toEqual([]);
  },
  LIMIT_MS,
);
