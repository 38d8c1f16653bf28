// Goal: statements that were imported before overlapping files could be read are moved whole, with their ids and with the
// digests by which a line is known again; a migration that is cut off anywhere goes on and moves nothing twice.
// Method: a database at the version of before, with rows; for the cuts each run fails before one more of its statements,
// until one run comes through. The migrations that are cut start from what the cut ones left.
import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type Database, migrate, pendingMigrations, type Row } from '../../src/db';
import { silentLogger } from '../../src/logging';
import { until } from '../e2e/support/until';
import {
  describeOnEachDialect,
  describeOnMariaDb,
  freshDatabase,
  rawConnection,
  unmigratedDatabaseUrl,
} from '../support/db';
import { fileRow, idOf, type TableRow } from '../support/statement-rows';
import { databaseUpTo } from './database-up-to';
import { dumpSchema } from './schema-dump';

const LAST_OF_BEFORE = '20261121120300_create_webhook_inbox';
const MOVED = ['20261121130000_bank_statements', '20261121130100_move_statements', '20261121130200_guard_statements'];
/** More than one page of the copy. */
const MANY_LINES = 230;
const CUT_RUNS_MAX = 600;
const LIMIT_MS = 180_000;
const MIGRATION_RIGHTS = 'select, insert, update, create, alter, drop, index, references, trigger';

function oldStatement(name: string, file: string, account: string, sequence: number, more: TableRow = {}): TableRow {
  return {
    id: idOf(name),
    file_id: idOf(file),
    account,
    sequence,
    currency: 'TND',
    verdict: 'ok',
    opening_millimes: 1_000,
    closing_millimes: 1_000,
    credits_millimes: 0,
    debits_millimes: 0,
    entries: 0,
    first_date: '2026-03-02',
    last_date: '2026-03-04',
    ...more,
  };
}

function oldLine(name: string, statement: string, account: string, position: number, more: TableRow = {}): TableRow {
  return {
    id: idOf(name),
    statement_id: idOf(statement),
    position,
    account,
    booking_date: '2026-03-02',
    value_date: null,
    amount_millimes: -5_250,
    counterparty: 'Frais',
    remittance: 'Commission',
    bank_reference: '',
    payout_candidate: 0,
    balance_after_millimes: null,
    raw: `"02/03/2026";"Commission";"-5,250"`,
    ...more,
  };
}

// The ids are not in the order of the bank: that order is the account's sequence.
const STATEMENTS: readonly TableRow[] = [
  oldStatement('SB', 'F1', 'A1', 1, {
    closing_millimes: 996_750,
    credits_millimes: 1_006_250,
    debits_millimes: 10_500,
    entries: 3,
  }),
  oldStatement('SA', 'F1', 'A1', 2, { entries: 2 }),
  oldStatement('SC', 'F2', 'A1', 3, { verdict: 'no-proof', first_date: null, last_date: null }),
  oldStatement('SD', 'F2', 'A2', 1, { entries: MANY_LINES }),
];
const LINES: readonly TableRow[] = [
  oldLine('L1', 'SB', 'A1', 1),
  oldLine('L2', 'SB', 'A1', 2, {
    value_date: '2026-03-03',
    amount_millimes: 1_006_250,
    bank_reference: 'VIR/7',
    payout_candidate: 1,
    balance_after_millimes: 1_002_000,
  }),
  oldLine('L3', 'SB', 'A1', 3),
  oldLine('L0', 'SA', 'A1', 1),
  oldLine('L4', 'SA', 'A1', 2, { bank_reference: 'VIR/7', amount_millimes: 1_006_250, booking_date: '2026-03-04' }),
  ...Array.from({ length: MANY_LINES }, (_, index) => oldLine(`M${index}`, 'SD', 'A2', index + 1)),
];

async function addOldRows(database: Database): Promise<void> {
  await database.transact(async (session) => {
    await session('statement_files').insert([fileRow('F1'), fileRow('F2')]);
    await session('statement_file_chunks').insert({ file_id: idOf('F1'), position: 1, content: Buffer.from('x') });
    await session('statements').insert([...STATEMENTS]);
    for (const line of LINES) await session('statement_lines').insert(line);
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function newStatement(name: string, position: number, signature: string): Row {
  const old = STATEMENTS.find((row) => row['id'] === idOf(name)) ?? {};
  return {
    id: old['id'],
    file_id: old['file_id'],
    position,
    kind: 'statement',
    account: old['account'],
    currency: 'TND',
    bank_id: '',
    number: '',
    verdict: old['verdict'],
    opening_minor: old['opening_millimes'],
    closing_minor: old['closing_millimes'],
    credits_minor: old['credits_millimes'],
    debits_minor: old['debits_millimes'],
    entries: old['entries'],
    pending_entries: 0,
    from_date: null,
    through_date: null,
    first_date: old['first_date'],
    last_date: old['last_date'],
    fingerprint: sha256(signature),
    notes: null,
  };
}

function newLine(name: string, signature: string): Row {
  const old = LINES.find((row) => row['id'] === idOf(name)) ?? {};
  return {
    id: old['id'],
    statement_id: old['statement_id'],
    position: old['position'],
    file_line: null,
    account: old['account'],
    currency: 'TND',
    booking_date: old['booking_date'],
    value_date: old['value_date'],
    amount_minor: old['amount_millimes'],
    counterparty: 'Frais',
    counterparty_account: '',
    remittance: 'Commission',
    bank_reference: old['bank_reference'],
    end_to_end_id: '',
    transaction_code: '',
    details: null,
    payout_candidate: old['payout_candidate'],
    balance_after_minor: old['balance_after_millimes'],
    identity: sha256(signature),
    raw: old['raw'],
  };
}

/** What is equal of the lines without a reference. */
const FEE = '["content","2026-03-02",null,-5250,"Frais","Commission"]';

const EXPECTED: Readonly<Record<string, readonly Row[]>> = {
  statement_files: [fileRow('F1'), fileRow('F2')],
  statement_file_chunks: [{ file_id: idOf('F1'), position: 1, content: Buffer.from('x') }],
  statement_loads: ['F1', 'F2'].map((name) => ({
    file_id: idOf(name),
    state: 'posted',
    slot: null,
    lease_until: 0,
    started_at: 1_772_000_000_000,
  })),
  bank_statements: [
    newStatement('SA', 2, '["A1","TND",1000,1000,0,0,2,"2026-03-02","2026-03-04",""]'),
    newStatement('SB', 1, '["A1","TND",1000,996750,1006250,10500,3,"2026-03-02","2026-03-04",""]'),
    newStatement('SC', 2, '["A1","TND",1000,1000,0,0,0,null,null,""]'),
    newStatement('SD', 1, `["A2","TND",1000,1000,0,0,${MANY_LINES},"2026-03-02","2026-03-04",""]`),
  ],
  bank_statement_lines: [
    newLine('L0', `["A1","TND",${FEE},3]`),
    newLine('L1', `["A1","TND",${FEE},1]`),
    newLine('L2', '["A1","TND",["reference","VIR/7","2026-03-02",1006250],1]'),
    newLine('L3', `["A1","TND",${FEE},2]`),
    newLine('L4', '["A1","TND",["reference","VIR/7","2026-03-04",1006250],1]'),
    ...Array.from({ length: MANY_LINES }, (_, index) => newLine(`M${index}`, `["A2","TND",${FEE},${index + 1}]`)),
  ].sort((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1)),
  statement_line_repeats: [],
  pending_entries: [],
  pending_replacements: [],
  statement_acceptances: [],
};

async function contentsOf(database: Database): Promise<Record<string, Row[]>> {
  return database.read(async (session) => {
    const contents: Record<string, Row[]> = {};
    for (const table of Object.keys(EXPECTED)) {
      const rows = await session(table).select('*');
      contents[table] = [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    }
    return contents;
  });
}

function keyOf(row: Row): string {
  return String(row['id'] ?? row['file_id']);
}

/** Lets a run fail before its statement number `count`, as if it were killed there. */
function cutBefore(database: Database, count: number): () => void {
  let seen = 0;
  const listener = (): void => {
    seen += 1;
    if (seen === count) throw new Error('cut off');
  };
  database.pool.on('query', listener);
  return () => void database.pool.removeListener('query', listener);
}

describeOnEachDialect('statements of the previous version', (dialect) => {
  test('are moved to the new tables, and the old tables are dropped', async () => {
    const database = await databaseUpTo(LAST_OF_BEFORE, await unmigratedDatabaseUrl(dialect));
    try {
      await addOldRows(database);
      expect((await pendingMigrations(database, silentLogger)).slice(0, MOVED.length)).toEqual(MOVED);
      await migrate(database, silentLogger);
      expect(await contentsOf(database)).toEqual(EXPECTED);
      expect(await dumpSchema(database)).toBe(await dumpSchema((await freshDatabase(dialect)).open()));
    } finally {
      await database.close();
    }
  });

  test('are moved once, even if each run is interrupted one statement later than the one before', async () => {
    const database = await databaseUpTo(LAST_OF_BEFORE, await unmigratedDatabaseUrl(dialect));
    try {
      await addOldRows(database);
      let cuts = 0;
      for (let finished = false; !finished;) {
        const restore = cutBefore(database, cuts + 1);
        try {
          await migrate(database, silentLogger);
          finished = true;
        } catch (error) {
          expect(error).toMatchObject({ message: 'cut off' });
          cuts += 1;
          expect(cuts).toBeLessThan(CUT_RUNS_MAX);
        } finally {
          restore();
        }
      }
      expect(cuts).toBeGreaterThan(20);
      expect(await pendingMigrations(database, silentLogger)).toEqual([]);
      expect(await contentsOf(database)).toEqual(EXPECTED);
      expect(await dumpSchema(database)).toBe(await dumpSchema((await freshDatabase(dialect)).open()));
    } finally {
      await database.close();
    }
  });
});

describeOnMariaDb('a separate migration user', () => {
  test('moves the statements with the privileges in docs/OPERATIONS.md', async () => {
    const url = await unmigratedDatabaseUrl('mariadb');
    const name = new URL(url).pathname.slice(1);
    const user = `${name}_moving`;
    const admin = await rawConnection(url);
    await admin.query(`create user '${user}'@'%' identified by 'secret'`);
    await admin.query(`grant ${MIGRATION_RIGHTS} on \`${name}\`.* to '${user}'@'%'`);
    const database = await databaseUpTo(LAST_OF_BEFORE, url.replace(/\/\/[^@]*@/, `//${user}:secret@`));
    try {
      await addOldRows(database);
      await migrate(database, silentLogger);
      expect(await contentsOf(database)).toEqual(EXPECTED);
    } finally {
      await database.close();
      await admin.query(`drop user '${user}'@'%'`);
      await admin.end();
    }
  });
});

describeOnMariaDb('an import by the previous version', () => {
  test('delays a migration until it ends, and is moved with the rest', async () => {
    const url = await unmigratedDatabaseUrl('mariadb');
    const database = await databaseUpTo(LAST_OF_BEFORE, url);
    const importing = await rawConnection(url);
    const watcher = await rawConnection(url);
    try {
      await addOldRows(database);
      await importing.query('start transaction');
      await importing.query('insert into statements set ?', oldStatement('SE', 'F2', 'A2', 2));
      const migrating = migrate(database, silentLogger);
      await until(
        'the server lists the migration as waiting',
        async () => {
          const [rows] = await watcher.query(
            "select 1 from information_schema.processlist where db = database() and info like 'rename table%'",
          );
          return (rows as unknown[]).length > 0;
        },
        LIMIT_MS,
      );
      await importing.query('insert into statement_lines set ?', oldLine('L5', 'SE', 'A2', 1));
      await importing.query('commit');
      await migrating;
      const { bank_statements: statements, bank_statement_lines: lines } = await contentsOf(database);
      expect(statements?.map((row) => row['id'])).toContain(idOf('SE'));
      expect(lines).toContainEqual(
        expect.objectContaining({
          id: idOf('L5'),
          statement_id: idOf('SE'),
          identity: sha256(`["A2","TND",${FEE},${MANY_LINES + 1}]`),
        }),
      );
    } finally {
      importing.destroy();
      await watcher.end();
      await database.close();
    }
  });
});
