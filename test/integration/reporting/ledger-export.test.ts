// Goal: an export contains the whole ledger to the millime, as an independent program confirms.
// Method: books that every room has written to, of agents with ids that break naive formats. hledger checks the journal
// and computes the balances; the rows of the CSV are compared with the rows of the tables.
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { type Database, openDatabase, rowsOf } from '../../../src/db';
import { type Instant, millimes, newId } from '../../../src/kernel';
import { agentReceivable, DUES_ASSESSED, openLedger } from '../../../src/ledger';
import { silentLogger } from '../../../src/logging';
import type { ExportFormat, Reporting } from '../../../src/reporting';
import { describeOnEachDatabase, parsedUrl } from '../../support/db';
import { BY_TEST } from '../../support/factories';
import { giveBack, ITEM_CHANNELS, type PaidGiven, receive, reportFee } from '../ledger/gateway-money';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';
import { describeWithHledger, hledger, hledgerBalances } from './hledger';

const START = '2026-03-02T08:00:00+01:00';

const AWKWARD_IDS = [
  'a:b',
  'a;b',
  'a  b',
  'وكيل ١',
  'é/é',
  '%41',
  'A',
  'a%3Ab',
  'x"y',
  '-1+2',
  '=1+1',
  '@x',
  '(a)',
  'a|b',
  'a,b',
  '.',
  '🙂',
  'x'.repeat(255),
  'ع'.repeat(127),
];

/** Names that break naive CSV or that a spreadsheet runs, with the text that a reader of the CSV gets. */
const HOSTILE_NAMES: readonly (readonly [name: string, cell: string])[] = [
  ['due:D1', 'due:D1'],
  ['=1+1', "'=1+1"],
  ['-x', "'-x"],
  ['+216 20', "'+216 20"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1', "'＝1"],
  [' =1', " '=1"],
  ['-1;=2', "'-1;'=2"],
  ['a,b', 'a,b'],
  ['x"y""', 'x"y""'],
  ['"=1"', '"\'=1"'],
  ['a%3Ab', 'a%3Ab'],
  ['وكيل ١', 'وكيل ١'],
  ['a\nb', 'a\nb'],
  ['a\r\n=cmd', "a\r\n'=cmd"],
  ['\t=1', "'\t'=1"],
  ['\rx', "'\rx"],
  ['\u0001\u001b[2J', '\u0001\u001b[2J'],
  ['x'.repeat(255), 'x'.repeat(255)],
  ['ع'.repeat(127), 'ع'.repeat(127)],
];

/** Removes the apostrophes that the export puts before text that could be a formula. */
const withoutMarks = (cell: string): string =>
  cell.replace(/^'(?=[\t\r\n])/, '').replace(/(^|[,;|\t\r\n])([\s"]*)'(?=[=+\-@＝＋－＠])/g, '$1$2');

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Dues, cancellations, payments (too much for some), payouts that are explained, and lines of the bank that are not. */
async function fillBooks(database: Database, rooms: Rooms): Promise<void> {
  const agents = AWKWARD_IDS.map((id, index) => `${quoted(id)},Agent ${index},`);
  const dues = AWKWARD_IDS.map(
    (id, index) => `${quoted(`D;${index} ${id.slice(0, 9)}`)},${quoted(id)},${index + 1}001,2026-03-01,`,
  );
  await rooms.agents.importCsv(Buffer.from(['agent_id,full_name,phone', ...agents].join('\n')), BY_TEST);
  await rooms.dues.importCsv(
    Buffer.from(['reference,agent_id,amount_millimes,due_date,memo', ...dues].join('\n')),
    BY_TEST,
  );
  let paid = 0;
  for (const [index, agentId] of AWKWARD_IDS.entries()) {
    const at = `2026-03-02T09:${String(index).padStart(2, '0')}:00+01:00`;
    if (index % 3 === 0) continue;
    paid += 2_501;
    await rooms.confirm({ transactionId: `T:${index};${agentId.slice(0, 9)}`, agentId, amount: 2_501 }, at);
  }
  await rooms.dues.cancel('D;1 a;b', 'typed  twice; "sorry"', BY_TEST);
  await rooms.importStatement([
    ['03/03/2026', PAYOUT_TEXT, paid],
    ['03/03/2026', 'COMMISSION', -1_190],
    ['03/03/2026', 'VERSEMENT', 7],
  ]);
  rooms.clock.set('2026-03-04T00:30:00+01:00');
  await rooms.reconcile('2026-03-03');
  await takeMoney(database, rooms.clock.now());
}

/** Through every other channel, for customers and for agents; refunds, fees and their corrections. */
async function takeMoney(database: Database, at: Instant): Promise<void> {
  for (const [index, channel] of ITEM_CHANNELS.entries()) {
    const agentId = index % 2 === 0 ? AWKWARD_IDS[index] : undefined;
    const paid: PaidGiven = {
      id: `P;${index}  é`,
      channel,
      amount: 10_001,
      ...(agentId === undefined ? {} : { agentId }),
    };
    await receive(database, paid, at);
    for (const fee of [150, 140]) await reportFee(database, { of: paid, fee, tva: 29 }, at);
    await giveBack(database, { id: `R:${index}`, of: paid, amount: 1_001 }, at);
  }
}

async function exported(reporting: Reporting, format: ExportFormat): Promise<string> {
  const pages: string[] = [];
  const whole = await reporting.exportLedger(format, async (text) => pages.push(text) > 0);
  expect(whole).toBe(true);
  return pages.join('');
}

interface PostingRow {
  readonly debit: string;
  readonly credit: string;
  readonly amount: bigint;
}

async function postings(database: Database): Promise<PostingRow[]> {
  const rows = await database.read((session) => rowsOf(session('postings').select('*')));
  return rows.map((row) => ({
    debit: String(row['debit_account']),
    credit: String(row['credit_account']),
    amount: BigInt(String(row['amount_millimes'])),
  }));
}

function balancesOf(rows: readonly PostingRow[]): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  for (const { debit, credit, amount } of rows) {
    balances.set(debit, (balances.get(debit) ?? 0n) + amount);
    balances.set(credit, (balances.get(credit) ?? 0n) - amount);
  }
  return balances;
}

const sorted = (balances: ReadonlyMap<string, bigint>): [string, string][] =>
  [...balances].map(([name, total]): [string, string] => [name, String(total)]).sort(([a], [b]) => (a < b ? -1 : 1));

describeOnEachDatabase('exportLedger', (harness) => {
  let rooms: Rooms;

  beforeEach(() => {
    rooms = openRooms(harness.database, START);
  });

  describeWithHledger('as a journal', () => {
    test('passes the checks of hledger, even the strict ones', async () => {
      await fillBooks(harness.database, rooms);
      const journal = await exported(rooms.reporting, 'hledger');
      expect(journal).toMatch(/^[\n -~]+$/);
      expect(hledger(journal, 'check')).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(hledger(journal, 'check', '--strict')).toEqual({ code: 0, stdout: '', stderr: '' });
    });

    test('has in hledger the same balance of each account', async () => {
      await fillBooks(harness.database, rooms);
      const journal = await exported(rooms.reporting, 'hledger');
      const balances = hledgerBalances(journal);
      expect(sorted(balances)).toEqual(sorted(balancesOf(await postings(harness.database))));
      for (const agentId of AWKWARD_IDS) {
        const { due, credit } = await rooms.dues.dueOf(agentId);
        expect([agentId, balances.get(`agent_receivable:${agentId}`)]).toEqual([agentId, BigInt(due - credit)]);
      }
      expect([...balances.keys()].filter((name) => name.startsWith('agent_receivable:'))).toHaveLength(
        AWKWARD_IDS.length,
      );
      expect(balances.get('agent_receivable:a;b')).toBeLessThan(0n);
    });

    test('states the type of each account, so that hledger can print its statements', async () => {
      await fillBooks(harness.database, rooms);
      const journal = await exported(rooms.reporting, 'hledger');
      const accounts = (type: string): string[] =>
        hledger(journal, 'accounts', '--declared', `type:${type}`).stdout.split('\n').filter(Boolean);
      expect(accounts('A')).toEqual(expect.arrayContaining(['agent_receivable:a%3Ab', 'gateway_clearing:agent']));
      expect(accounts('R')).toEqual(['dues_assessed', 'payments_received']);
      expect(accounts('X')).toEqual(['gateway_fees', 'gateway_fees_tva']);
      expect(accounts('L')).toEqual(['bank_unmatched']);
    });

    test('has the date, reference, code, times and actor of each transaction', async () => {
      await rooms.importAgents('a:b');
      await rooms.importDues(['D1', 'a:b', 150_000]);
      await rooms.confirm({ transactionId: 'T 1', agentId: 'a:b', amount: 1 }, '2026-03-03T00:30:00+01:00');
      await rooms.dues.cancel('D1', 'typed twice', BY_TEST);
      const rows = await harness.database.read((session) =>
        rowsOf(session('ledger_transactions').select('id', 'recorded_by').orderBy('id')),
      );
      const [due, payment, cancellation] = rows.map((row) => String(row['id']));
      const by = rows.map((row) => encodeURIComponent(String(row['recorded_by'])));
      expect(await exported(rooms.reporting, 'hledger'))
        .toBe(`; The books of Millime. Names are percent-encoded outside [A-Za-z0-9._-].
; In the order of recording; whole only with the line "; end of the books".
decimal-mark .
commodity 1000.000 TND

account agent_receivable:a%3Ab  ; type: A
account dues_assessed  ; type: R
account gateway_clearing:agent  ; type: A

2026-03-02 * (due%3AD1) due_assessed
    ; id:${due}, occurred_at:2026-03-02T07:00:00.000Z, recorded_at:2026-03-02T07:00:00.000Z, recorded_by:${by[0]}
    agent_receivable:a%3Ab  150.000 TND
    dues_assessed  -150.000 TND

2026-03-03 * (service%3AT%201) agent_payment
    ; id:${payment}, occurred_at:2026-03-02T23:30:00.000Z, recorded_at:2026-03-02T23:30:00.000Z, recorded_by:${by[1]}
    gateway_clearing:agent  0.001 TND
    agent_receivable:a%3Ab  -0.001 TND

2026-03-03 * (due-cancel%3AD1) due_cancelled
    ; id:${cancellation}, occurred_at:2026-03-02T23:30:00.000Z, recorded_at:2026-03-02T23:30:00.000Z, recorded_by:${by[2]}, reverses:${due}
    dues_assessed  150.000 TND
    agent_receivable:a%3Ab  -150.000 TND

2026-03-03 * balances
    agent_receivable:a%3Ab  0.000 TND = -0.001 TND
    dues_assessed  0.000 TND = 0.000 TND
    gateway_clearing:agent  0.000 TND = 0.001 TND

; end of the books: 3 transactions
`);
    });

    test('fails the check if one digit of an amount changes on both sides', async () => {
      await fillBooks(harness.database, rooms);
      const journal = await exported(rooms.reporting, 'hledger');
      const changed = journal.replace('  2.501 TND\n', '  2.502 TND\n').replace('  -2.501 TND\n', '  -2.502 TND\n');
      expect(changed).not.toBe(journal);
      const { code, stderr } = hledger(changed, 'check');
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/balance assertion/i);
    });

    test('fails the check if a stored balance differs from the postings', async () => {
      await fillBooks(harness.database, rooms);
      await harness.database.transact((session) =>
        session('ledger_balances').where('account', 'agent_receivable:a:b').increment('balance_millimes', 1),
      );
      expect(hledger(await exported(rooms.reporting, 'hledger'), 'check').stderr).toMatch(/balance assertion/i);
    });

    test('is without transactions for an empty ledger', async () => {
      const journal = await exported(rooms.reporting, 'hledger');
      expect(hledger(journal, 'check', '--strict')).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(journal).toMatch(/\n; end of the books: 0 transactions\n$/);
    });
  });

  test('writes each posting once as CSV, equal to the tables', async () => {
    await fillBooks(harness.database, rooms);
    const text = await exported(rooms.reporting, 'csv');
    const stored = await harness.database.read((session) =>
      rowsOf(
        session('postings as p')
          .join('ledger_transactions as t', 't.id', 'p.transaction_id')
          .select('*')
          .orderBy(['t.id', 'p.position']),
      ),
    );
    const rows = parse<Record<string, string>>(text, { columns: true }).map((row) => ({
      transaction_id: row['transaction_id'],
      reference: withoutMarks(row['reference'] ?? ''),
      code: row['code'],
      occurred_at: Date.parse(row['occurred_at'] ?? ''),
      recorded_at: Date.parse(row['recorded_at'] ?? ''),
      recorded_by: withoutMarks(row['recorded_by'] ?? ''),
      reverses_id: row['reverses_id'] === '' ? null : row['reverses_id'],
      position: Number(row['position']),
      debit_account: withoutMarks(row['debit_account'] ?? ''),
      credit_account: withoutMarks(row['credit_account'] ?? ''),
      amount_millimes: Number(row['amount_millimes']),
    }));
    expect(rows).toEqual(stored.map(({ id: _id, ...row }) => row));
    const dates = parse<Record<string, string>>(text, { columns: true }).map((row) => row['date']);
    expect(new Set(dates)).toEqual(new Set(['2026-03-02', '2026-03-03', '2026-03-04']));
  });

  test('writes names readably as CSV, quoted, and none that a spreadsheet runs', async () => {
    await harness.database.transact(async (session) => {
      for (const [index, [name]] of HOSTILE_NAMES.entries()) {
        await openLedger(session).post([
          {
            id: newId(),
            reference: name,
            code: 'opening_balance',
            occurredAt: 0,
            recordedAt: 0,
            recordedBy: `${name}${index}`,
            postings: [{ debit: agentReceivable(name), credit: DUES_ASSESSED, amount: millimes(5) }],
          },
        ]);
      }
    });
    const text = await exported(rooms.reporting, 'csv');
    expect(text).toMatch(/\r\n$/);
    const rows = parse<Record<string, string>>(text, { columns: true, record_delimiter: '\r\n' });
    expect(rows.map(({ reference }) => reference)).toEqual(HOSTILE_NAMES.map(([, cell]) => cell));
    expect(rows.map((row) => withoutMarks(row['reference'] ?? ''))).toEqual(HOSTILE_NAMES.map(([name]) => name));
    expect(rows.map((row) => withoutMarks(row['recorded_by'] ?? ''))).toEqual(
      HOSTILE_NAMES.map(([name], index) => `${name}${index}`),
    );
    expect(rows.map((row) => withoutMarks(row['debit_account'] ?? ''))).toEqual(
      HOSTILE_NAMES.map(([name]) => `agent_receivable:${name}`),
    );
    for (const cell of rows.flatMap((row) => Object.values(row))) expect(cell).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/);
  });

  test('writes only the header as CSV for an empty ledger', async () => {
    expect(await exported(rooms.reporting, 'csv')).toBe(
      'transaction_id,reference,code,date,occurred_at,recorded_at,recorded_by,reverses_id,position,debit_account,credit_account,amount_millimes\r\n',
    );
  });
});

const MANY = 20_000;
const PAGE_CHARACTERS_MAX = 400_000;

describeOnEachDatabase('exportLedger of a large ledger', (harness) => {
  test(`of ${MANY} transactions comes in small pages, waits for its reader, and is of one instant`, async () => {
    await postMany(harness.database, MANY);
    const { reporting } = openRooms(harness.database, START);
    let queries = 0;
    harness.database.pool.on('query', () => (queries += 1));
    const pages: string[] = [];
    let queriesAtFirst = 0;
    let queriesAfterWaiting = 0;
    const whole = await reporting.exportLedger('hledger', async (text) => {
      pages.push(text);
      if (pages.length !== 3) return true;
      // The reader is slow here, and meanwhile somebody posts on a connection of his own.
      queriesAtFirst = queries;
      const other = openDatabase(parsedUrl(harness.url), silentLogger);
      await postMany(other, 1);
      await other.close();
      for (let turns = 0; turns < 50; turns += 1) await turn();
      queriesAfterWaiting = queries;
      return true;
    });
    expect(whole).toBe(true);
    expect(queriesAfterWaiting).toBe(queriesAtFirst);
    expect(queries).toBeGreaterThan(queriesAtFirst + MANY / 1_000);
    expect(Math.max(...pages.map((text) => text.length))).toBeLessThan(PAGE_CHARACTERS_MAX);
    const journal = pages.join('');
    expect(journal).toContain(`; end of the books: ${MANY} transactions`);
    expect(journal.match(/\n {4}; id:/g)).toHaveLength(MANY);
    // 7 millimes each, in rows of 50 agents: sums that only the whole set gives.
    expect(journal).toContain(`    dues_assessed  0.000 TND = -${(MANY * 7) / 1000}.000 TND\n`);
  }, 60_000);

  test('stops reading if its reader has left', async () => {
    await postMany(harness.database, 3_000);
    const { reporting } = openRooms(harness.database, START);
    let pages = 0;
    expect(await reporting.exportLedger('csv', async () => (pages += 1) < 3)).toBe(false);
    expect(pages).toBe(3);
  });

  test('does not start again if the database is lost during the export', async () => {
    await postMany(harness.database, 1_500);
    const { reporting } = openRooms(harness.database, START);
    const pages: string[] = [];
    const lost = Object.assign(new Error('gone'), { code: 'PROTOCOL_CONNECTION_LOST' });
    const work = reporting.exportLedger('csv', async (text) => {
      pages.push(text);
      if (pages.length === 2) throw lost;
      return true;
    });
    await expect(work).rejects.toMatchObject({ code: 'unavailable' });
    expect(pages).toHaveLength(2);
  });
});

/** Dues of 7 millimes of 50 agents, posted past the rooms. */
async function postMany(database: Database, count: number): Promise<void> {
  for (let done = 0; done < count; done += 5_000) {
    const batch = Math.min(5_000, count - done);
    await database.transact(
      (session) =>
        openLedger(session).post(
          Array.from({ length: batch }, (_, index) => {
            const id = newId();
            return {
              id,
              reference: `many:${id}`,
              code: 'due_assessed' as const,
              occurredAt: Date.parse(START) + index,
              recordedAt: Date.parse(START) + index,
              recordedBy: 'test',
              postings: [{ debit: agentReceivable(`agent ${index % 50}`), credit: DUES_ASSESSED, amount: millimes(7) }],
            };
          }),
        ),
      { deadlineMs: 30_000 },
    );
  }
}
