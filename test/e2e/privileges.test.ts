import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Connection } from 'mysql2/promise';
import { TABLE_RIGHTS } from '../../src/db';
import { describeOnMariaDb, parsedUrl, rawConnection, unmigratedDatabaseUrl } from '../support/db';
import { runCli } from '../support/server-process';
import { call, checkPath } from './support/call';
import { Installation } from './support/installation';
import { countRows, selectRows } from './support/tables';
import { until } from './support/until';

// Goal: the program works with the rights that `millime grants` prints, and those rights allow no change of posted
// rows or of the tables.
// Method: two users with exactly those rights; the demo's days through the real command line and server; then each
// forbidden statement on each table, directly in SQL.

const LIMIT_MS = 60_000;
const SEEDS = join(__dirname, '..', '..', 'seeds', 'demo');
/** A week of the agents in the seeds: what the gateway said, and the bank. */
const WEEK = join(__dirname, '..', 'fixtures', 'agents-week');

const tablesWith = (right: 'update' | 'delete'): string[] =>
  Object.keys(TABLE_RIGHTS).filter((table) => TABLE_RIGHTS[table]?.includes(right));
/** The tables whose rows change; in every other one rows are only added. */
const CHANGING = tablesWith('update');
const CLAIMS = ['payout_claimed_lines', 'payout_claimed_items'];
/**
 * Those that hold the rows of a bank file, which go again while its import is not complete, and the claims of matches,
 * which go when a match is taken back.
 */
const REMOVABLE = tablesWith('delete');
/** Those whose rows follow from other rows and are replaced with them. No trigger protects them. */
const DERIVED = [
  ...['agent_search_words', 'idempotency_keys', 'statement_upload_chunks', 'statement_uploads'],
  ...['sign_in_tries', 'user_devices', 'user_sessions'],
  ...['notification_deliveries', 'notification_events', 'notification_recipients'],
  ...['recon_break_items', 'recon_waiting_items', 'recon_waiting_runs'],
  ...['day_figures', 'day_credits', 'day_cut_offs', 'day_expectations'],
];
/** Those whose rows change until a person's data is erased, and are never deleted. */
const ERASABLE = ['agents'];
/** The runtime user only looks which migrations ran. */
const MIGRATION_LIST = 'schema_migrations';
const MIGRATION_LOCK = 'schema_migrations_lock';

const ER_TABLEACCESS_DENIED = 1142;
/** What our triggers raise. */
const ER_SIGNAL = 1644;

const FIRST_KEY = ['keys', 'create', '--recover', '--reason', 'first', '--name', 'leila', '--scopes', 'all'] as const;

interface Credit {
  readonly line_id: string;
  readonly remainder_millimes: number;
}

interface Stored {
  readonly itemId: string;
  readonly amount: number;
}

/** The credit that the first payments add up to. */
function firstPayout(stored: readonly Stored[], credits: readonly Credit[]): { lineId: string; itemIds: string[] } {
  let sum = 0;
  for (const [index, { amount }] of stored.entries()) {
    sum += amount;
    const credit = credits.find(({ remainder_millimes }) => remainder_millimes === sum);
    if (credit !== undefined) {
      return { lineId: credit.line_id, itemIds: stored.slice(0, index + 1).map(({ itemId }) => itemId) };
    }
  }
  throw new Error('no credit is what the first payments add up to');
}

interface Said {
  readonly at: string;
  readonly check?: string;
  readonly confirm?: Readonly<Record<string, unknown>>;
}

describeOnMariaDb('database users', () => {
  let admin: Connection;
  let millime: Installation;
  let users: readonly string[] = [];
  let tables: readonly string[] = [];

  beforeAll(async () => {
    const url = await unmigratedDatabaseUrl('mariadb');
    admin = await rawConnection(url);
    const parsed = parsedUrl(url);
    if (parsed.kind !== 'mariadb') throw new Error('not a server');
    const { database } = parsed;
    users = [`${database}_runtime`, `${database}_migration`];
    for (const user of users) await admin.query(`create user '${user}'@'%' identified by 'secret'`);
    const [runtime, migration] = users;
    const grant = async (user: string | undefined, purpose: string): Promise<number> => {
      const { code, stdout, stderr } = await runCli(['grants', '--user', String(user), '--for', purpose], {
        DATABASE_URL: url,
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const statements = stdout.trimEnd().split('\n');
      for (const statement of statements) await admin.query(statement);
      return statements.length;
    };
    await grant(migration, 'migration');
    // Without tables no right on them can be granted; the user may already connect.
    await admin.query(`grant usage on *.* to '${runtime}'@'%'`);
    const urlOf = (user: string | undefined): string => url.replace(/\/\/[^@]*@/, `//${user}:secret@`);
    millime = new Installation(urlOf(runtime), {
      clock: '2026-03-02T06:00:00+01:00',
      env: { MIGRATION_DATABASE_URL: urlOf(migration) },
    });

    const migrated = await millime.json<{ migrations: string[] }>(['migrate']);
    expect(migrated.migrations.length).toBeGreaterThan(0);
    const [rows] = await admin.query(
      'select table_name as name from information_schema.tables where table_schema = ?',
      [database],
    );
    tables = (rows as { name: string }[]).map(({ name }) => name).sort();
    expect(await grant(runtime, 'runtime')).toBe(tables.filter((table) => table !== MIGRATION_LOCK).length);
  }, LIMIT_MS);

  afterAll(async () => {
    for (const user of users) await admin.query(`drop user '${user}'@'%'`);
    await admin.end();
  });

  test(
    'S22: the runtime user can run the main flow, from the import to the report',
    async () => {
      expect(tables).toEqual(expect.arrayContaining([...CHANGING, ...REMOVABLE]));
      await millime.json(['agents', 'import', join(SEEDS, 'agents.csv')]);
      await millime.json(['dues', 'import', join(SEEDS, 'dues.csv')]);
      const { token, jti } = await millime.json<{ token: string; jti: string }>(['token', 'mint']);
      const service = await millime.serve();
      const says = readFileSync(join(WEEK, 'calls.jsonl'), 'utf8').trim().split('\n');
      const send = async ({ check, confirm }: Said): Promise<string> => {
        const { status, body } = await call(
          service.baseUrl,
          check === undefined
            ? { method: 'POST', path: '/service/confirm', token, body: confirm }
            : { method: 'GET', path: checkPath(check), token },
        );
        return `${status} ${(body as { code?: string }).code ?? ''}`;
      };
      const codes = new Map<string, number>();
      const stored: Stored[] = [];
      let unknownAgent: Said | undefined;
      for (const line of says) {
        const said = JSON.parse(line) as Said;
        millime.setClock(said.at);
        const answer = await send(said);
        codes.set(answer, (codes.get(answer) ?? 0) + 1);
        if (answer === '200 0' && said.confirm !== undefined) {
          const { transactionId, amount } = said.confirm;
          stored.push({ itemId: `service:${String(transactionId)}`, amount: Number(amount) });
        }
        if (answer === '200 1' && said.confirm !== undefined) unknownAgent ??= said;
      }
      expect([...codes.keys()].sort()).toEqual(['200 0', '200 1', '200 2', '200 3']);

      // The agent of a refused confirm is added; the same call, said again, is stored and closes the break.
      expect(unknownAgent).toBeDefined();
      await send(unknownAgent as Said);
      const agentId = String(unknownAgent?.confirm?.['agentId']);
      await millime.json(['agents', 'add', '--id', agentId, '--name', 'Nadia']);
      expect(await send(unknownAgent as Said)).toBe('200 0');

      millime.setClock('2026-03-07T08:00:00+01:00');
      await until(
        'the job of the last morning',
        async () => (await countRows(millime.url, 'job_runs', "name = 'reconcile' and status = 'done'")) >= 5,
      );
      expect((await call(service.baseUrl, { method: 'GET', path: '/readyz' })).status).toBe(200);
      await millime.json(['statements', 'import', join(WEEK, 'statement.csv')]);
      // Four payouts prove too little for a run to match them; a person matches the first one.
      const { credits } = await millime.json<{ credits: Credit[] }>(['reconcile', '--through', '2026-03-06'], 3);
      const breaks = await selectRows(millime.url, 'select status from recon_breaks');
      expect(new Set(breaks.map((row) => row['status']))).toEqual(new Set(['open', 'resolved']));
      await Promise.all([
        millime.json(['report', 'daily', '--through', '2026-03-06']),
        millime.json(['agents', 'close', '004711']),
        millime.json(['token', 'revoke', jti]),
      ]);
      await millime.json(['agents', 'add', '--id', 'LEAVER', '--name', 'Sonia']);
      await millime.json(['agents', 'erase', 'LEAVER', '--reason', 'request 17']);
      const { lineId, itemIds } = firstPayout(stored, credits);
      const byHand = [
        'reconcile',
        'match',
        lineId,
        '--items',
        itemIds.join(','),
        '--reason',
        'the sums agree',
        '--json',
      ];
      const key = (await millime.cli(...FIRST_KEY)).stdout.trim();
      const matched = await runCli(byHand, { ...millime.env, MILLIME_API_KEY: key });
      expect({ code: matched.code, stderr: matched.stderr }).toEqual({ code: 0, stderr: '' });
      expect(await millime.brokenInvariants()).toEqual([]);
      expect(await service.stop()).toEqual({ code: 0, signal: null });
      expect(service.output).not.toContain('"level":"error"');
    },
    LIMIT_MS,
  );

  test('S22: the runtime user cannot create, alter, truncate or drop a table or drop a trigger', async () => {
    const runtime = await rawConnection(millime.url);
    try {
      const allowed: string[] = [];
      for (const table of tables) {
        for (const statement of [
          `drop table \`${table}\``,
          `alter table \`${table}\` add column extra int`,
          `truncate table \`${table}\``,
          ...(REMOVABLE.includes(table) ? [] : [`delete from \`${table}\``]),
          `rename table \`${table}\` to elsewhere`,
          `create trigger extra before insert on \`${table}\` for each row set @extra = 1`,
          `create index extra on \`${table}\` (extra)`,
        ]) {
          if ((await refusalOf(runtime, statement)) !== ER_TABLEACCESS_DENIED) allowed.push(statement);
        }
      }
      expect(allowed).toEqual([]);
      expect(await refusalOf(runtime, 'create table extra (id int)')).toBe(ER_TABLEACCESS_DENIED);
      expect(await refusalOf(runtime, 'drop trigger postings_no_update')).toBe(ER_TABLEACCESS_DENIED);
    } finally {
      await runtime.end();
    }
  });

  test('S22: the migration user has no rights on a database whose name its pattern would match', async () => {
    const { database } = parsedUrl(millime.url) as { database: string };
    const similar = database.replace('_', 'x');
    const [, migration] = users;
    const connection = await rawConnection(millime.url.replace(/\/\/[^:]*:/, `//${migration}:`));
    await admin.query(`create database \`${similar}\``);
    try {
      expect(await refusalOf(connection, `create table \`${similar}\`.extra (id int)`)).toBe(ER_TABLEACCESS_DENIED);
    } finally {
      await admin.query(`drop database \`${similar}\``);
      await connection.end();
    }
  });

  test('S24: the runtime user cannot change a row of an append-only table', async () => {
    const runtime = await rawConnection(millime.url);
    try {
      const allowed: string[] = [];
      for (const table of tables.filter((name) => !CHANGING.includes(name))) {
        const [column] = await columnsOf(table);
        const statement = `update \`${table}\` set \`${column}\` = \`${column}\``;
        if ((await refusalOf(runtime, statement)) !== ER_TABLEACCESS_DENIED) allowed.push(statement);
      }
      expect(allowed).toEqual([]);
      expect(tables.length - CHANGING.length).toBeGreaterThan(10);
    } finally {
      await runtime.end();
    }
  });

  test('S24: a trigger stops the runtime user from deleting a row of an imported bank file', async () => {
    const runtime = await rawConnection(millime.url);
    try {
      const full: string[] = [];
      for (const table of REMOVABLE.filter((name) => !DERIVED.includes(name))) {
        const before = await countRows(millime.url, table);
        if (before > 0) full.push(table);
        expect(await refusalOf(runtime, `delete from \`${table}\``)).toBe(before > 0 ? ER_SIGNAL : undefined);
        expect(await countRows(millime.url, table)).toBe(before);
      }
      expect(full.sort()).toEqual(
        [...CLAIMS, ...['statement_loads', 'statement_files', 'statement_file_chunks', 'bank_statements']]
          .concat('bank_statement_lines')
          .sort(),
      );
    } finally {
      await runtime.end();
    }
  });

  test('S24: a trigger stops even root from changing or deleting a posting', async () => {
    expect(await countRows(millime.url, 'postings')).toBeGreaterThan(0);
    const before = await selectRows(millime.url, 'select * from postings order by transaction_id, position');
    for (const statement of ['update postings set amount_millimes = amount_millimes + 1', 'delete from postings']) {
      expect(await refusalOf(admin, statement)).toBe(ER_SIGNAL);
    }
    expect(await selectRows(millime.url, 'select * from postings order by transaction_id, position')).toEqual(before);
  });

  test('S24: every append-only table, every table that only a loading file may delete from, and agents have two triggers', async () => {
    const [rows] = await admin.query(
      'select event_object_table as name, count(*) as n from information_schema.triggers ' +
        "where trigger_schema = database() and event_manipulation in ('UPDATE', 'DELETE') group by event_object_table",
    );
    const guarded = (rows as { name: string; n: number }[]).filter(({ n }) => n === 2).map(({ name }) => name);
    const ours = tables.filter((name) => name !== MIGRATION_LIST && name !== MIGRATION_LOCK);
    const isGuarded = (name: string): boolean =>
      !DERIVED.includes(name) && (!CHANGING.includes(name) || REMOVABLE.includes(name) || ERASABLE.includes(name));
    expect(guarded.sort()).toEqual(ours.filter(isGuarded));
  });

  async function columnsOf(table: string): Promise<string[]> {
    const [rows] = await admin.query(
      'select column_name as name from information_schema.columns where table_schema = database() and table_name = ?',
      [table],
    );
    return (rows as { name: string }[]).map(({ name }) => name);
  }
});

/** The number of the error with which a statement is refused; undefined when it is not. */
async function refusalOf(connection: Connection, statement: string): Promise<number | undefined> {
  try {
    await connection.query(statement);
    return undefined;
  } catch (error) {
    return (error as { errno?: number }).errno;
  }
}
