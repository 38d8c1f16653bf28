// Goal: no invariant of the books is a formality: each one notices the damage it is for, and right books pass them all.
// Method: a scenario that uses every table, in a database without its guards. Each test damages it in a transaction that
// is rolled back, and looks at what the check says in there.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database, Session } from '../../../src/db';
import { INVARIANT_COUNT } from '../../../src/reporting';
import { brokenInvariants } from '../../../src/reporting/books-check-read-model';
import { describeOnEachDatabase } from '../../support/db';
import { BY_TEST } from '../../support/factories';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';

type Damage = readonly [invariant: string, what: string, damage: (session: Session) => PromiseLike<unknown>];

const GHOST = '00000000000000000000000000';

const transactionRow = (reference: string, code = 'reversal'): Record<string, unknown> => ({
  id: GHOST,
  reference,
  code,
  occurred_at: 1,
  recorded_at: 1,
  reverses_id: null,
  recorded_by: 'test',
});

const postingRow = (amount: number): Record<string, unknown> => ({
  transaction_id: GHOST,
  position: 1,
  debit_account: 'bank_other',
  credit_account: 'write_off',
  amount_millimes: amount,
});

/** The id of the ledger transaction with a reference. */
async function idOf(session: Session, reference: string): Promise<string> {
  const [row] = await session('ledger_transactions').select('id').where('reference', reference);
  if (row === undefined) throw new Error(`the scenario has ${reference}`);
  return String(row['id']);
}

const ofTransaction = async (session: Session, reference: string, change: Record<string, unknown>): Promise<unknown> =>
  session('postings')
    .where('transaction_id', await idOf(session, reference))
    .update(change);

const DAMAGES: readonly Damage[] = [
  [
    'every posting is positive and between two accounts',
    'a posting of 0',
    async (session) => {
      await session('ledger_transactions').insert(transactionRow('x'));
      await session('postings').insert(postingRow(0));
    },
  ],
  [
    'every posting is positive and between two accounts',
    'a posting from an account to itself',
    (session) => ofTransaction(session, 'due:D1', { credit_account: 'agent_receivable:A1' }),
  ],
  [
    'every ledger transaction has postings',
    'a transaction without postings',
    (session) => session('ledger_transactions').insert(transactionRow('x')),
  ],
  [
    'every posting has its ledger transaction',
    'a posting of a transaction that is not there',
    (session) => session('postings').insert(postingRow(1)),
  ],
  [
    'no reference stands twice',
    'a second transaction with the reference of a confirm',
    (session) => session('ledger_transactions').insert(transactionRow('service:T1', 'agent_payment')),
  ],
  [
    "an agent's balance is the sum of its postings",
    'a balance that is off by one millime',
    (session) => session('ledger_balances').where('account', 'agent_receivable:A1').increment('balance_millimes', 1),
  ],
  [
    "an agent's balance is the sum of its postings",
    'a balance whose row is gone',
    (session) => session('ledger_balances').where('account', 'agent_receivable:A1').delete(),
  ],
  [
    'a balance without postings is 0',
    'a balance of nobody',
    (session) => session('ledger_balances').insert({ account: 'agent_receivable:A9', balance_millimes: 1 }),
  ],
  [
    "an agent's balance is his dues less what was cancelled and confirmed",
    'a cancellation that was forgotten',
    (session) => session('due_cancellations').delete(),
  ],
  [
    "an agent's balance is his dues less what was cancelled and confirmed",
    'a due of another agent',
    (session) => session('dues').where('reference', 'D1').update('agent_id', 'A2'),
  ],
  [
    'each confirm has its one ledger transaction, with its agent and amount',
    'a confirm of one millime more',
    (session) => session('agent_confirmations').where('transaction_id', 'T1').increment('amount_millimes', 1),
  ],
  [
    'each confirm has its one ledger transaction, with its agent and amount',
    'a confirm of another agent',
    (session) => session('agent_confirmations').where('transaction_id', 'T1').update('agent_id', 'A2'),
  ],
  [
    'each confirm has its one ledger transaction, with its agent and amount',
    'a confirm that points to the transaction of another',
    async (session) =>
      session('agent_confirmations')
        .where('transaction_id', 'T1')
        .update('ledger_transaction_id', await idOf(session, 'service:T2')),
  ],
  [
    'each ledger transaction of a confirm has its confirm',
    'a confirm that is gone',
    (session) => session('agent_confirmations').where('transaction_id', 'T1').delete(),
  ],
  [
    'each due has its one ledger transaction',
    'a due that was never posted',
    (session) => session('dues').where('reference', 'D1').update('reference', 'd1'),
  ],
  [
    'each due has its one ledger transaction',
    'a due of one millime less',
    (session) => session('dues').where('reference', 'D1').increment('amount_millimes', -1),
  ],
  [
    'each cancelled due has its reversal',
    'a cancellation without its reversal',
    (session) =>
      session('due_cancellations').insert({ reference: 'D1', reason: 'why', recorded_at: 1, recorded_by: 'test' }),
  ],
  [
    'each cancelled due has its reversal',
    'a reversal that points to another transaction',
    async (session) =>
      session('ledger_transactions')
        .where('reference', 'due-cancel:D3')
        .update('reverses_id', await idOf(session, 'due:D1')),
  ],
  [
    'each statement line has its one ledger transaction, with its amount',
    'a line of one millime more',
    (session) => session('statement_lines').where('amount_millimes', -1_190).increment('amount_millimes', 1),
  ],
  [
    'a bank account in the books is the closing balance of its last statement',
    'a closing balance that is off by one millime',
    (session) => session('statements').where('sequence', 2).increment('closing_millimes', 1),
  ],
  [
    'a bank account in the books is the closing balance of its last statement',
    'a line that was posted the wrong way',
    async (session) => {
      const [line] = await session('statement_lines').select('id').where('amount_millimes', -1_190);
      await ofTransaction(session, `line:${String(line?.['id'])}`, {
        debit_account: 'bank:11222333333333333344',
        credit_account: 'bank_unmatched',
      });
    },
  ],
  [
    "a statement's totals and balances are those of its lines",
    'a line that is not counted',
    (session) => session('statements').where('sequence', 2).increment('entries', 1),
  ],
  [
    "a statement's totals and balances are those of its lines",
    'a total of credits that is off by one millime',
    (session) => session('statements').where('sequence', 1).increment('credits_millimes', 1),
  ],
  [
    "each running balance of the bank follows from the line's amount and the one before",
    'a running balance that is off by one millime',
    (session) => session('statement_lines').where('amount_millimes', 80_000).increment('balance_after_millimes', 1),
  ],
  [
    'each statement opens with the closing balance of the one before',
    'a statement that is gone from the chain',
    (session) => session('statements').where('sequence', 2).update('sequence', 3),
  ],
  [
    'each confirm is of a known agent',
    'an agent who is gone',
    (session) => session('agents').where('agent_id', 'A1').delete(),
  ],
  [
    'the original bytes of each bank file have their sha256',
    'a file whose bytes are gone',
    (session) => session('statement_file_chunks').delete(),
  ],
  [
    'the original bytes of each bank file have their sha256',
    "bytes that are not the bank's",
    (session) => session('statement_file_chunks').update('content', Buffer.from('x')),
  ],
  [
    'each match is posted and is the sum of its items',
    'a match of one millime more',
    (session) => session('recon_matches').increment('gross_millimes', 1),
  ],
  [
    'each match is posted and is the sum of its items',
    'a match without one of its items',
    (session) => session('recon_match_items').where('item_id', 'service:T1').delete(),
  ],
  [
    'each match is posted and is the sum of its items',
    'two items that exchanged a millime',
    async (session) => {
      await session('recon_match_items').where('item_id', 'service:T1').increment('amount_millimes', 1);
      await session('recon_match_items').where('item_id', 'service:T2').increment('amount_millimes', -1);
    },
  ],
  [
    'each match is posted and is the sum of its items',
    'an item that nobody confirmed',
    (session) => session('recon_match_items').where('item_id', 'service:T1').update('item_id', 'service:t1'),
  ],
  [
    'each match is posted and is the sum of its items',
    'a match without its ledger transaction',
    (session) => session('recon_matches').update('ledger_transaction_id', GHOST),
  ],
  [
    'what the gateway owes for agents is what was confirmed and not paid out',
    'a payout that was taken from another channel',
    (session) =>
      session('postings')
        .where({ debit_account: 'bank_unmatched', credit_account: 'gateway_clearing:agent' })
        .update('credit_account', 'gateway_clearing:card'),
  ],
  [
    'what is unmatched in the bank is the lines that no match explains',
    'a match that is gone',
    (session) => session('recon_matches').delete(),
  ],
  [
    'what is unmatched in the bank is the lines that no match explains',
    'a line that was booked as not ours',
    (session) => session('postings').where('debit_account', 'bank_unmatched').update('debit_account', 'bank_other'),
  ],
];

describeOnEachDatabase('the check of the books', (harness) => {
  let database: Database;
  let rooms: Rooms;

  beforeAll(async () => {
    const fresh = await harness.fresh();
    database = fresh.open();
    rooms = openRooms(database, '2026-03-02T09:00:00+01:00');
    await tellTheScenario(rooms);
    await removeGuards(database);
  });

  afterAll(() => database.close());

  test('finds nothing wrong with books that the rooms wrote', async () => {
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
  });

  test.each(DAMAGES)('says "%s" does not hold when it meets %s', async (invariant, _what, damage) => {
    const broken = await database.transact(
      async (session) => {
        if (session.dialect === 'mariadb') await session.raw('set foreign_key_checks = 0');
        else await session.raw('pragma defer_foreign_keys = on');
        await damage(session);
        const found = await brokenInvariants(session);
        if (session.dialect === 'mariadb') await session.raw('set foreign_key_checks = 1');
        return found;
      },
      { dryRun: true },
    );
    expect(broken.map(({ name }) => name)).toContain(invariant);
    expect(broken.every(({ rows }) => rows.length > 0)).toBe(true);
  });

  test('has no invariant that none of these tests has seen fail', () => {
    expect(new Set(DAMAGES.map(([invariant]) => invariant)).size).toBe(INVARIANT_COUNT);
  });
});

/** Two agents, three dues of which one is cancelled, three confirms of which two are paid out, two statements. */
async function tellTheScenario(rooms: Rooms): Promise<void> {
  await rooms.importAgents('A1', 'A2');
  await rooms.importDues(['D1', 'A1', 100_000], ['D2', 'A2', 50_000], ['D3', 'A2', 7_000]);
  await rooms.dues.cancel('D3', 'typed twice', BY_TEST);
  await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 60_000 }, '2026-03-02T10:00:00+01:00');
  await rooms.confirm({ transactionId: 'T2', agentId: 'A2', amount: 55_500 }, '2026-03-02T11:00:00+01:00');
  await rooms.confirm({ transactionId: 'T3', agentId: 'A1', amount: 1_000 }, '2026-03-03T10:00:00+01:00');
  await rooms.importStatement([['03/03/2026', PAYOUT_TEXT, 115_500]]);
  await rooms.importStatement([
    ['04/03/2026', 'COMMISSION', -1_190],
    ['04/03/2026', 'VERSEMENT', 80_000],
  ]);
  rooms.clock.set('2026-03-05T06:30:00+01:00');
  const result = await rooms.reconcile('2026-03-04');
  if (result.matchedMillimes !== 115_500) throw new Error('the scenario has one match');
}

/** What a person with the rights of an operator could do, and what only the check would notice then. */
async function removeGuards(database: Database): Promise<void> {
  const names = await database.read((session) =>
    session.raw(
      session.dialect === 'sqlite'
        ? "select name from sqlite_master where type = 'trigger'"
        : 'select trigger_name as name from information_schema.triggers where trigger_schema = database()',
    ),
  );
  for (const { name } of names) await database.pool.raw('drop trigger ??', [name as string]);
  const index = 'ledger_transactions_reference';
  const drop = database.dialect === 'sqlite' ? 'drop index ??' : 'drop index ?? on ledger_transactions';
  await database.pool.raw(drop, [index]);
}
