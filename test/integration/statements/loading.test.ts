// Goal: one import loads at a time, an unfinished one is visible to no reader, and a dead one is removed to the last
// row.
// Method: the slot and the removal separately on both databases, with two concurrent holders; then whole imports whose
// connection fails at one COMMIT after the other.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Database, openDatabase, rowsOf } from '../../../src/db';
import { OPERATOR } from '../../../src/identity';
import { businessCalendar } from '../../../src/kernel';
import { bankAccount, openLedger } from '../../../src/ledger';
import { silentLogger } from '../../../src/logging';
import { linesInUse } from '../../../src/reconciliation';
import { bankFileOfBytes, createStatements, type ImportOutcome, type Statements } from '../../../src/statements';
import {
  type Load,
  lockSlot,
  openLoadingRows,
  openLoads,
  postLines,
  removeLeftoverRows,
  removeRows,
  type Slot,
  takeSlot,
  waitForOtherDecisions,
} from '../../../src/statements/testing';
import { until } from '../../e2e/support/until';
import { SHIPPED_PROFILES_FILE } from '../../fixtures/statements/statement-bytes';
import { aCamtStatement } from '../../support/camt-statement';
import { describeOnEachDatabase, describeOnMariaDb, freshDatabase, parsedUrl, rawConnection } from '../../support/db';
import { fixedClock } from '../../support/fakes';
import { digestOfName, idOf, type LoadState, rowsOfFile } from '../../support/statement-rows';
import { TcpProxy } from '../../support/tcp-proxy';

const TABLES = [
  ...['statement_files', 'statement_loads', 'statement_file_chunks', 'bank_statements', 'bank_statement_lines'],
  ...['statement_line_repeats', 'pending_entries', 'pending_replacements', 'statement_holds'],
] as const;
const DEADLINE_MS = 30_000;
const clock = fixedClock('2026-05-04T09:00:00+01:00');
const calendar = businessCalendar('Africa/Tunis');

function statementsOn(database: Database): Statements {
  return createStatements({
    linesInUse,
    database,
    clock,
    calendar,
    logger: silentLogger,
    profilesFile: SHIPPED_PROFILES_FILE,
  });
}

function importBytes(statements: Statements, bytes: Buffer, name = 'bank.xml'): Promise<ImportOutcome> {
  return statements.import({ file: bankFileOfBytes(name, bytes), actor: OPERATOR });
}

async function countsOf(database: Database): Promise<Record<string, number>> {
  return database.read(async (session) => {
    const counts: Record<string, number> = {};
    for (const table of TABLES) {
      const [row] = await rowsOf(session(table).count('* as n'));
      counts[table] = Number(row?.['n']);
    }
    return counts;
  });
}

const NOTHING = Object.fromEntries(TABLES.map((table) => [table, 0]));

function fileNamed(name: string): Parameters<typeof takeSlot>[1] {
  return {
    id: idOf(name),
    sha256: digestOfName(name),
    name: `${name}.xml`,
    sizeBytes: 1,
    format: 'camt',
    profile: '',
    importedAt: clock.now(),
    importedBy: 'test',
  };
}

async function addFile(
  database: Database,
  { name, state, without = [], line }: { name: string; state: LoadState; without?: readonly string[]; line?: string },
): Promise<void> {
  await database.transact(async (session) => {
    for (const [table, row] of rowsOfFile(name, state, line)) {
      if (!without.includes(table)) await session(table).insert(row);
    }
  });
}

/** As if its lease were over: by the clock of the database that is the instant 1. */
async function endLease(database: Database): Promise<void> {
  await database.transact((session) => session('statement_loads').where('slot', 1).update({ lease_until: 1 }));
}

describeOnEachDatabase('takeSlot', (harness) => {
  const waited: Load[] = [];
  beforeEach(() => void waited.splice(0));

  async function taken(name: string): Promise<Slot> {
    const outcome = await takeSlot(
      { database: harness.database, logger: silentLogger, calendar, onWait: (load) => waited.push(load) },
      fileNamed(name),
    );
    if (outcome.kind !== 'taken') throw new Error('the file is imported already');
    return outcome.slot;
  }
  const write = (slot: Slot): Promise<void> =>
    slot.whileHeld(harness.database, DEADLINE_MS, (session) =>
      openLoadingRows(session).insertChunk(slot.fileId, 1, Buffer.from('x')),
    );

  test('waits until another import ends, and reports it once', async () => {
    const first = await taken('F1');
    const second = taken('F2');
    await until('the second waits', () => waited.length === 1);
    await write(first);
    await first.finish(harness.database, DEADLINE_MS, () => Promise.resolve());
    expect((await second).fileId).toBe(idOf('F2'));
    expect(waited).toMatchObject([{ fileId: idOf('F1'), fileName: 'F1.xml', expired: false }]);
  });

  test('waits until a transaction ends that locked the slot', async () => {
    await addFile(harness.database, { name: 'F1', state: 'imported' });
    const order: string[] = [];
    let isLocked = false;
    const holding = harness.database.transact(async (session) => {
      expect(await lockSlot(session, idOf('F1'))).toBeUndefined();
      isLocked = true;
      await sleep(200);
      order.push('the transaction ended');
    });
    await until('the slot is locked', () => isLocked);
    await taken('F2');
    order.push('the import began');
    await holding;
    expect(order).toEqual(['the transaction ended', 'the import began']);
    expect(await harness.database.transact((session) => lockSlot(session, idOf('F1')))).toMatchObject({
      fileName: 'F2.xml',
    });
  });

  test('loses an ended lease to a transaction that locks the slot', async () => {
    await addFile(harness.database, { name: 'F1', state: 'imported' });
    const { fileId } = await taken('F2');
    await endLease(harness.database);
    // An import that was paused still knows the end of its lease.
    const slow = { fileId, leaseUntil: 1 };
    await harness.database.transact(async (session) => {
      expect(await lockSlot(session, idOf('F1'))).toBeUndefined();
      expect(await openLoads(session).renew(slow, DEADLINE_MS)).toBeUndefined();
      expect(await openLoads(session).finish(slow)).toBe(false);
    });
  });

  test('gives the slot to one of many concurrent imports', async () => {
    const order: string[] = [];
    await Promise.all(
      ['F1', 'F2', 'F3', 'F4'].map(async (name) => {
        const slot = await taken(name);
        order.push(`${name} begins`);
        await write(slot);
        order.push(`${name} ends`);
        await slot.finish(harness.database, DEADLINE_MS, () => Promise.resolve());
      }),
    );
    const names = order.filter((_, index) => index % 2 === 0).map((text) => text.slice(0, 2));
    expect(order).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
    expect([...names].sort()).toEqual(['F1', 'F2', 'F3', 'F4']);
  });

  test('reports that the import it waited for stored the same bytes', async () => {
    const first = await taken('F1');
    const second = takeSlot(
      { database: harness.database, logger: silentLogger, calendar, onWait: (load) => waited.push(load) },
      { ...fileNamed('F2'), sha256: digestOfName('F1') },
    );
    await until('the second waits', () => waited.length === 1);
    await first.finish(harness.database, DEADLINE_MS, () => Promise.resolve());
    expect(await second).toMatchObject({ kind: 'already_imported', file: { id: idOf('F1') } });
  });

  test('leaves the slot with an import whose lease ended until another one takes it', async () => {
    const slot = await taken('F1');
    await write(slot);
    await harness.database.transact((session) => session('statement_loads').update({ started_at: 1 }));
    await slot.finish(harness.database, DEADLINE_MS, () => Promise.resolve());
    expect(await countsOf(harness.database)).toMatchObject({ statement_loads: 1, statement_file_chunks: 1 });
  });

  test('stops an import that lost its slot from writing and from finishing', async () => {
    const first = await taken('F1');
    await write(first);
    await endLease(harness.database);
    const second = await taken('F2');
    let worked = false;
    const late = first.whileHeld(harness.database, DEADLINE_MS, () => Promise.resolve(void (worked = true)));
    await expect(late).rejects.toMatchObject({ code: 'interrupted', message: expect.stringContaining('nothing was') });
    const end = first.finish(harness.database, DEADLINE_MS, () => Promise.resolve(void (worked = true)));
    await expect(end).rejects.toMatchObject({ code: 'interrupted' });
    await removeRows(harness.database, first);
    expect(worked).toBe(false);
    await write(second);
    await second.finish(harness.database, DEADLINE_MS, () => Promise.resolve());
    const files = await harness.database.read((session) => session('statement_files').select('id'));
    expect(files).toEqual([{ id: idOf('F2') }]);
  });

  test('rolls back a failed transaction with the renewal of the lease', async () => {
    const slot = await taken('F1');
    const failing = slot.whileHeld(harness.database, DEADLINE_MS, async (session) => {
      await openLoadingRows(session).insertChunk(slot.fileId, 1, Buffer.from('x'));
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    await write(slot);
    expect(await countsOf(harness.database)).toMatchObject({ statement_file_chunks: 1 });
  });
});

describeOnEachDatabase('removeLeftoverRows', (harness) => {
  const deps = (): Parameters<typeof removeLeftoverRows>[0] => ({ database: harness.database, logger: silentLogger });

  test('does not touch an import with a valid lease', async () => {
    await addFile(harness.database, { name: 'F1', state: 'loading' });
    const inAnHour = Date.now() + 3_600_000;
    await harness.database.transact((session) => session('statement_loads').update({ lease_until: inAnHour }));
    const before = await countsOf(harness.database);
    expect(await removeLeftoverRows(deps())).toBe(false);
    expect(await countsOf(harness.database)).toEqual(before);
  });

  test('removes every row, and finds none when repeated', async () => {
    await addFile(harness.database, { name: 'F1', state: 'loading' });
    expect(await removeLeftoverRows(deps())).toBe(true);
    expect(await countsOf(harness.database)).toEqual(NOTHING);
    expect(await removeLeftoverRows(deps())).toBe(false);
  });

  test.each([
    ['an announcement of before that its line has booked', 'PF1', 'LF2'],
    ['its own announcement that a line of before had booked', 'PF2', 'LF1'],
  ])('releases %s', async (_what, entry, line) => {
    const without = ['pending_replacements'];
    await addFile(harness.database, { name: 'F1', state: 'posted', without });
    const before = await countsOf(harness.database);
    await addFile(harness.database, { name: 'F2', state: 'loading', without });
    await harness.database.transact((session) =>
      session('pending_replacements').insert({ pending_id: idOf(entry), line_id: idOf(line), replaced_at: 1 }),
    );
    expect(await removeLeftoverRows(deps())).toBe(true);
    expect(await countsOf(harness.database)).toEqual(before);
  });

  test('removes more rows than one transaction does', async () => {
    await addFile(harness.database, { name: 'F1', state: 'loading' });
    const more = Array.from({ length: 4_500 }, (_, index) => index);
    await harness.database.transact(async (session) => {
      const row = rowsOfFile('F1', 'loading').find(([table]) => table === 'bank_statement_lines')?.[1] ?? {};
      for (let at = 0; at < more.length; at += 500) {
        const rows = more.slice(at, at + 500).map((index) => ({
          ...row,
          id: idOf(`M${index}`),
          position: index + 2,
          identity: digestOfName(`M${index}`),
        }));
        await session('bank_statement_lines').insert(rows);
      }
    });
    expect(await removeLeftoverRows(deps())).toBe(true);
    expect(await countsOf(harness.database)).toEqual(NOTHING);
  });

  test('removes every row without a fault in two concurrent processes', async () => {
    await addFile(harness.database, { name: 'F1', state: 'loading' });
    const done = await Promise.all([
      removeLeftoverRows(deps()),
      removeLeftoverRows(deps()),
      removeLeftoverRows(deps()),
    ]);
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await countsOf(harness.database)).toEqual(NOTHING);
  });

  test('does not touch a load that finished, or that another process claimed, in the meantime', async () => {
    await addFile(harness.database, { name: 'F1', state: 'loading' });
    const before = await countsOf(harness.database);
    await removeRows(harness.database, { fileId: idOf('F1'), leaseUntil: 7 });
    expect(await countsOf(harness.database)).toEqual(before);
    await harness.database.transact((session) =>
      session('statement_loads').update({ state: 'imported', slot: null, lease_until: 1 }),
    );
    await removeRows(harness.database, { fileId: idOf('F1'), leaseUntil: 1 });
    expect(await countsOf(harness.database)).toEqual(before);
  });

  test('restores an announced entry that only a removed line had replaced', async () => {
    const statements = statementsOn(harness.database);
    await addFile(harness.database, { name: 'F1', state: 'posted', without: ['pending_replacements'] });
    await addFile(harness.database, { name: 'F2', state: 'loading', without: ['pending_replacements'] });
    await harness.database.transact((session) =>
      session('pending_replacements').insert({ pending_id: idOf('PF1'), line_id: idOf('LF2'), replaced_at: 1 }),
    );
    // Nobody sees the line yet, so what it books is still announced.
    expect((await statements.pending({ limit: 100 })).rows).toMatchObject([{ id: idOf('PF1') }]);
    await removeLeftoverRows(deps());
    expect((await statements.pending({ limit: 100 })).rows).toMatchObject([{ id: idOf('PF1') }]);
  });
});

describeOnEachDatabase('the stored bytes of a file', (harness) => {
  test('have the digest of the file', async () => {
    const statements = statementsOn(harness.database);
    const { bytes, lines } = aCamtStatement({ days: 150 });
    expect(bytes.length).toBeGreaterThan(2 * 1024 * 1024);
    const outcome = await importBytes(statements, bytes);
    expect(outcome).toMatchObject({ kind: 'imported', statements: [{ statement: { entries: lines } }] });
    const kept = await statements.originalBytes(outcome.file.id);
    const sha256 = createHash('sha256').update(kept).digest('hex');
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(sha256).toBe(outcome.file.sha256);
    expect(await countsOf(harness.database)).not.toMatchObject({ statement_file_chunks: 0 });
  });
});

describeOnEachDatabase('postLines in concurrent processes', (harness) => {
  const deps = (): Parameters<typeof postLines>[0] => ({ database: harness.database, clock, calendar });
  const sumOf = async (account: string): Promise<number> =>
    Number(await harness.database.read((session) => openLedger(session).sumOf(bankAccount(account))));
  const postedCount = async (): Promise<number> => {
    const rows = await harness.database.read((session) =>
      session('ledger_transactions').select('id').where('code', 'statement_line'),
    );
    return rows.length;
  };

  test('posts each line once and ends without a fault', async () => {
    const statements = statementsOn(harness.database);
    const whole = aCamtStatement({ days: 12 });
    const other = aCamtStatement({ account: '99', days: 6 });
    // Loaded like by processes that were killed right after they made the lines visible.
    const dying = createStatements({
      linesInUse,
      database: harness.database,
      clock: { now: () => clock.now() },
      calendar: {
        ...calendar,
        startOf: () => {
          throw new Error('killed');
        },
      },
      logger: silentLogger,
      profilesFile: SHIPPED_PROFILES_FILE,
    });
    await expect(importBytes(dying, whole.bytes)).rejects.toThrow('killed');
    await expect(importBytes(dying, other.bytes)).rejects.toThrow('killed');
    expect(await postedCount()).toBe(0);
    expect((await statements.list({ limit: 100 })).rows).toHaveLength(2);

    await Promise.all([
      postLines(deps()),
      statements.recover(),
      importBytes(statements, whole.bytes),
      postLines(deps()),
    ]);
    expect(await postedCount()).toBe(whole.lines + other.lines);
    expect([await sumOf(whole.account), await sumOf('99')]).toEqual([whole.closing, other.closing]);
    const states = await harness.database.read((session) => session('statement_loads').select('state'));
    expect(states).toEqual([{ state: 'posted' }, { state: 'posted' }]);
  });

  test('posts the lines of a statement that a person accepts in the meantime', async () => {
    const statements = statementsOn(harness.database);
    const { bytes, lines } = aCamtStatement({ days: 6, balances: false });
    const outcome = await importBytes(statements, bytes);
    if (outcome.kind !== 'imported') throw new Error('it was imported');
    const [listed] = outcome.statements;
    const id = listed?.statement.id ?? '';
    expect(await postedCount()).toBe(0);
    const accepting = { id, reason: 'checked by phone with the bank', actor: OPERATOR };
    const outcomes = await Promise.all([
      statements.accept(accepting),
      postLines(deps()),
      statements.accept(accepting),
      statements.recover(),
    ]);
    expect([outcomes[0].kind, outcomes[2].kind].sort()).toEqual(['accepted', 'already_accepted']);
    expect(await postedCount()).toBe(lines);
  });
});

describeOnMariaDb('postLines beside an acceptance', () => {
  test('waits for the acceptance, and leaves the file to be posted', async () => {
    const { url, open } = await freshDatabase('mariadb');
    const database = open();
    const watcher = await rawConnection(url);
    const statements = statementsOn(database);
    const { bytes, lines } = aCamtStatement({ days: 1, balances: false });
    const outcome = await importBytes(statements, bytes);
    if (outcome.kind !== 'imported') throw new Error('it was imported');
    const id = outcome.statements[0]?.statement.id ?? '';
    await database.transact((session) => openLoads(session).setState(outcome.file.id, 'imported'));

    let posting: Promise<void> | undefined;
    await database.transact(async (session) => {
      await waitForOtherDecisions(session);
      await openLoads(session).setState(outcome.file.id, 'imported');
      await session('statement_acceptances').insert({
        statement_id: id,
        accepted_at: 1,
        accepted_by: 'a',
        reason: 'b',
      });
      posting = postLines({ database: open(), clock, calendar });
      await until('the posting waits for the acceptance', async () => {
        const [rows] = await watcher.query(
          "select 1 from information_schema.processlist where db = database() and info like 'update%exclusive_turns%'",
        );
        return (rows as unknown[]).length > 0;
      });
    });
    await posting;
    await postLines({ database, clock, calendar });
    const posted = await database.read((session) =>
      session('ledger_transactions').select('id').where('code', 'statement_line'),
    );
    expect(posted).toHaveLength(lines);
    await watcher.end();
  });
});

describeOnMariaDb('an import whose connection is cut at a COMMIT', () => {
  let url: string;
  let database: Database;
  let proxy: TcpProxy;
  let through: Database;
  const { account, bytes, lines, closing } = aCamtStatement({ days: 12 });

  beforeAll(async () => {
    const fresh = await freshDatabase('mariadb');
    url = fresh.url;
    database = fresh.open();
    const { hostname, port } = new URL(url);
    proxy = await TcpProxy.start({ host: hostname, port: Number(port) });
    through = openDatabase(parsedUrl(proxy.through(url)), silentLogger);
  });
  afterAll(async () => {
    await through.close();
    await proxy.close();
  });

  test.each(['cut_after', 'cut_before'] as const)(
    'is imported once all the same, whichever COMMIT is %s',
    async (fate) => {
      const statements = statementsOn(through);
      let commits = 0;
      for (let at = 1; at <= commits || at === 1; at += 1) {
        const own = `${account}-${fate}-${at}`;
        proxy.onCommit((commit) => {
          commits = Math.max(commits, at === 1 ? commit : 0);
          return commit === at ? fate : 'pass';
        });
        const outcome = await importBytes(
          statements,
          Buffer.from(bytes.toString().replaceAll(account, own)),
          'a.xml',
        ).then(
          ({ kind }) => kind,
          (error: unknown) => error,
        );
        expect({ at, outcome }).toEqual({ at, outcome: 'imported' });
        const found = await database.read(async (session) => ({
          lines: (await session('bank_statement_lines').select('id').where('account', own)).length,
          sum: Number(await openLedger(session).sumOf(bankAccount(own))),
          loading: (await session('statement_loads').select('state').whereNot('state', 'posted')).length,
        }));
        expect({ at, ...found }).toEqual({ at, lines, sum: closing, loading: 0 });
      }
      expect(commits).toBeGreaterThan(5);
    },
  );
});
