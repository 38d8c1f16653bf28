// Goal: the rows of an interrupted import can be removed; no user can change or remove a row of an imported file.
// Method: one file in each state with a row in every table; each forbidden statement, directly in SQL, on both
// databases; on the server also as a user with only the rights that docs/OPERATIONS.md names.
import { expect, test } from '@jest/globals';
import { type Database, openDatabase } from '../../../src/db';
import { silentLogger } from '../../../src/logging';
import { describeOnEachDatabase, describeOnMariaDb, freshDatabase, parsedUrl, rawConnection } from '../../support/db';
import { idOf, type LoadState, rowsOfFile } from '../../support/statement-rows';

/** The tables of a file, and in which order its rows may go. */
const TABLES = [
  ...['pending_replacements', 'pending_entries', 'statement_line_repeats', 'bank_statement_lines'],
  ...['bank_statements', 'statement_file_chunks', 'statement_loads', 'statement_files'],
] as const;
const KEPT_STATES = ['imported', 'posted'] as const;

async function addFile(database: Database, name: string, state: LoadState, line?: string): Promise<void> {
  await database.transact(async (session) => {
    for (const [table, row] of rowsOfFile(name, state, line)) await session(table).insert(row);
  });
}

async function removeAll(database: Database, tables: readonly string[] = TABLES): Promise<void> {
  await database.transact(async (session) => {
    for (const table of tables) await session(table).delete();
  });
}

async function countsOf(database: Database): Promise<number[]> {
  return database.read(async (session) => {
    const counts: number[] = [];
    for (const table of TABLES) counts.push((await session(table).select(session.fragment('1 as one'))).length);
    return counts;
  });
}

/** What the database itself says of a refused statement. */
async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    // A driver's error may be of another test file's class, so it is no instance of Error here.
    const { message, cause } = error as { message: string; cause?: { message?: string } };
    return `${message} | ${cause?.message ?? ''}`;
  }
}

const NONE = TABLES.map(() => 0);
const ONE = TABLES.map(() => 1);

describeOnEachDatabase('the rows of a file', (harness) => {
  test('can be removed while it is loading', async () => {
    await addFile(harness.database, 'F1', 'loading');
    expect(await countsOf(harness.database)).toEqual(ONE);
    await removeAll(harness.database);
    expect(await countsOf(harness.database)).toEqual(NONE);
  });

  test.each(KEPT_STATES.flatMap((state) => TABLES.map((table) => [table, state] as const)))(
    'cannot be removed from %s when it is %s',
    async (table, state) => {
      await addFile(harness.database, 'F1', state);
      expect(await refusalOf(removeAll(harness.database, [table]))).toContain(`${table} is append-only`);
      expect(await countsOf(harness.database)).toEqual(ONE);
    },
  );

  test('allow a change of a statement while it is loading, and never later', async () => {
    const rewrite = (): Promise<unknown> =>
      harness.database.transact((session) => session('bank_statements').update({ entries: 2 }));
    await addFile(harness.database, 'F1', 'loading');
    expect(await rewrite()).toBe(1);
    await harness.database.transact((session) => session('statement_loads').update({ state: 'imported', slot: null }));
    expect(await refusalOf(rewrite())).toContain('bank_statements is append-only');
  });

  test.each(TABLES.filter((table) => table !== 'statement_loads' && table !== 'bank_statements'))(
    'cannot be changed in %s, not even while it is loading',
    async (table) => {
      await addFile(harness.database, 'F1', 'loading');
      const [column] = Object.keys(rowsOfFile('F1', 'loading').find(([name]) => name === table)?.[1] ?? {});
      const change = harness.database.transact((session) =>
        session(table).update({ [String(column)]: session.fragment('??', [String(column)]) }),
      );
      expect(await refusalOf(change)).toContain(`${table} is append-only`);
    },
  );

  test('stay if a file that repeats or replaces them is removed', async () => {
    await addFile(harness.database, 'F1', 'posted');
    await addFile(harness.database, 'F2', 'loading', 'F1');
    const own = [
      ['pending_replacements', 'pending_id', 'PF2'],
      ['pending_entries', 'id', 'PF2'],
      ['statement_line_repeats', 'statement_id', 'SF2'],
      ['bank_statement_lines', 'id', 'LF2'],
      ['bank_statements', 'id', 'SF2'],
      ['statement_file_chunks', 'file_id', 'F2'],
      ['statement_loads', 'file_id', 'F2'],
      ['statement_files', 'id', 'F2'],
    ] as const;
    await harness.database.transact(async (session) => {
      for (const [table, column, name] of own) await session(table).where(column, idOf(name)).delete();
    });
    expect(await countsOf(harness.database)).toEqual(ONE);
  });

  test('release the line of a removed file that replaced an announced entry', async () => {
    await harness.database.transact(async (session) => {
      for (const name of ['F1', 'F2']) {
        const state = name === 'F1' ? 'posted' : 'loading';
        for (const [table, row] of rowsOfFile(name, state)) {
          if (table !== 'pending_replacements') await session(table).insert(row);
        }
      }
      await session('pending_replacements').insert({ pending_id: idOf('PF1'), line_id: idOf('LF2'), replaced_at: 1 });
    });
    await removeAll(harness.database, ['pending_replacements']);
    const left = await harness.database.read((session) => session('pending_replacements').select('line_id'));
    expect(left).toEqual([]);
  });
});

describeOnEachDatabase('the load state of a file', (harness) => {
  const update = (change: Readonly<Record<string, string | number | null>>): Promise<unknown> =>
    harness.database.transact((session) => session('statement_loads').update(change));

  test('changes from loading to imported to posted, and its lease can be extended', async () => {
    await addFile(harness.database, 'F1', 'loading');
    await update({ lease_until: 2 });
    await update({ state: 'imported', slot: null });
    await update({ state: 'posted' });
    const rows = await harness.database.read((session) => session('statement_loads').select('*'));
    expect(rows).toEqual([{ file_id: idOf('F1'), state: 'posted', slot: null, lease_until: 2, started_at: 1 }]);
  });

  test.each(KEPT_STATES)('never changes back from %s to loading', async (state) => {
    await addFile(harness.database, 'F1', state);
    expect(await refusalOf(update({ state: 'loading', slot: 1 }))).toContain('statement_loads is append-only');
  });

  test('never moves to another file', async () => {
    await addFile(harness.database, 'F1', 'loading');
    expect(await refusalOf(update({ file_id: idOf('F2') }))).toContain('statement_loads is append-only');
  });

  test('occupies the only slot while it is loading, and none later', async () => {
    await addFile(harness.database, 'F1', 'loading');
    await expect(addFile(harness.database, 'F2', 'loading')).rejects.toMatchObject({ code: 'duplicate_key' });
    await update({ state: 'imported', slot: null });
    await addFile(harness.database, 'F2', 'loading');
    await update({ state: 'posted', slot: null });
    expect(await countsOf(harness.database)).toEqual(TABLES.map(() => 2));
  });
});

describeOnEachDatabase('an accepted statement', (harness) => {
  test.each(['update', 'delete'] as const)('stores its acceptance permanently against every %s', async (action) => {
    await addFile(harness.database, 'F1', 'loading');
    const row = { statement_id: idOf('SF1'), accepted_at: 1, accepted_by: 'leila', reason: 'checked by phone' };
    await harness.database.transact((session) => session('statement_acceptances').insert(row));
    const change = harness.database.transact((session) =>
      action === 'update'
        ? session('statement_acceptances').update({ accepted_by: 'unknown' })
        : session('statement_acceptances').delete(),
    );
    expect(await refusalOf(change)).toContain('statement_acceptances is append-only');
  });
});

describeOnMariaDb('the runtime user of a server', () => {
  test('can remove the rows of an interrupted import, but none of an imported file', async () => {
    const { url, open } = await freshDatabase('mariadb');
    const owner = open();
    const admin = await rawConnection(url);
    const name = new URL(url).pathname.slice(1);
    const user = `${name}_guarded`;
    await admin.query(`create user '${user}'@'%' identified by 'secret'`);
    for (const table of TABLES) {
      const rights = table === 'statement_loads' ? 'select, insert, update, delete' : 'select, insert, delete';
      await admin.query(`grant ${rights} on \`${name}\`.\`${table}\` to '${user}'@'%'`);
    }
    const runtime = openDatabase(parsedUrl(url.replace(/\/\/[^@]*@/, `//${user}:secret@`)), silentLogger);
    try {
      await addFile(runtime, 'F1', 'loading');
      await removeAll(runtime);
      expect(await countsOf(owner)).toEqual(NONE);
      await addFile(runtime, 'F2', 'posted');
      for (const table of TABLES) {
        expect(await refusalOf(removeAll(runtime, [table]))).toContain(`${table} is append-only`);
      }
      expect(await countsOf(owner)).toEqual(ONE);
    } finally {
      await runtime.close();
      await admin.query(`drop user '${user}'@'%'`);
      await admin.end();
    }
  });
});
