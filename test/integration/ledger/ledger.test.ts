// Goal: money moves once, exactly on both sides, and stored entries never change.
// Method: the ledger's operations on both databases.
import { expect, test } from '@jest/globals';
import { rowsOf } from '../../../src/db';
import { assert, compareBytes, millimes, newId } from '../../../src/kernel';
import {
  type Account,
  agentReceivable,
  BANK_UNMATCHED,
  bankAccount,
  DUES_ASSESSED,
  gatewayClearing,
  type NewLedgerTransaction,
  openLedger,
  type Posting,
  reverseTransaction,
} from '../../../src/ledger';
import { aFault } from '../../support/a-fault';
import { describeOnEachDatabase } from '../../support/db';
import { contents, rowCounts } from './row-counts';

const A1 = agentReceivable('A1');
const A2 = agentReceivable('A2');
const CLEARING = gatewayClearing('agent');

const posting = (debit: Account, credit: Account, amount: number): Posting => ({
  debit,
  credit,
  amount: millimes(amount),
});

const transaction = (reference: string, ...postings: readonly Posting[]): NewLedgerTransaction => ({
  id: newId(),
  reference,
  code: 'due_assessed',
  occurredAt: 1_000,
  recordedAt: 2_000,
  recordedBy: 'test',
  postings,
});

describeOnEachDatabase('the ledger', (harness) => {
  const post = (...transactions: readonly NewLedgerTransaction[]): Promise<void> =>
    harness.database.transact((session) => openLedger(session).post(transactions));
  const balanceOf = async (account: Account): Promise<number> => {
    const balances = await harness.database.read((session) => openLedger(session).balances([account]));
    return balances.get(account) ?? Number.NaN;
  };
  const sumOf = (account: Account): Promise<bigint> =>
    harness.database.read((session) => openLedger(session).sumOf(account));
  const reverse = (originalReference: string, reference: string): Promise<NewLedgerTransaction> =>
    harness.database.transact((session) =>
      reverseTransaction(session, {
        originalReference,
        reference,
        code: 'reversal',
        occurredAt: 3_000,
        recordedAt: 4_000,
        recordedBy: 'test',
      }),
    );

  test('changes the balances of both sides and keeps a balance row only for agents', async () => {
    await post(
      transaction('due:1', posting(A1, DUES_ASSESSED, 500)),
      transaction('due:2', posting(A2, DUES_ASSESSED, 70)),
      transaction('service:1', posting(CLEARING, A1, 800)),
    );
    expect(await balanceOf(A1)).toBe(-300);
    expect(await balanceOf(A2)).toBe(70);
    expect(await sumOf(A1)).toBe(-300n);
    expect(await sumOf(DUES_ASSESSED)).toBe(-570n);
    expect(await sumOf(CLEARING)).toBe(800n);
    const rows = await harness.database.read((session) => rowsOf(session('ledger_balances').select('account')));
    expect(rows.map((row) => row['account']).sort()).toEqual([A1, A2]);
  });

  test('returns 0 for an account without postings', async () => {
    expect(await balanceOf(A1)).toBe(0);
    expect(await sumOf(CLEARING)).toBe(0n);
  });

  test('returns a transaction as posted, its postings in order', async () => {
    const given = transaction('x:é 1', posting(A1, DUES_ASSESSED, 3), posting(A2, A1, 2), posting(CLEARING, A2, 1));
    await post(given);
    expect(await harness.database.read((session) => openLedger(session).find('x:é 1'))).toEqual(given);
    expect(await harness.database.read((session) => openLedger(session).find('X:é 1'))).toBeUndefined();
  });

  test('stores nothing of a batch in which a reference is taken', async () => {
    await post(transaction('due:1', posting(A1, DUES_ASSESSED, 500)));
    const before = await contents(harness.database);
    const again = post(
      transaction('due:0', posting(A2, DUES_ASSESSED, 9)),
      transaction('due:1', posting(A1, DUES_ASSESSED, 500)),
    );
    await expect(again).rejects.toMatchObject({ code: 'duplicate_key' });
    expect(await contents(harness.database)).toEqual(before);
  });

  test('keeps references apart by their bytes', async () => {
    await post(
      transaction('due:a', posting(A1, DUES_ASSESSED, 1)),
      transaction('due:A', posting(A1, DUES_ASSESSED, 10)),
      transaction('due:á', posting(A1, DUES_ASSESSED, 100)),
    );
    expect(await balanceOf(A1)).toBe(111);
  });

  test.each([
    ['no posting', []],
    ['an amount of 0', [posting(A1, DUES_ASSESSED, 0)]],
    ['a negative amount', [posting(A1, DUES_ASSESSED, -1)]],
    ['one account on both sides', [posting(A1, A1, 1)]],
  ])('refuses a transaction with %s and stores nothing of its batch', async (_name, postings) => {
    const good = transaction('due:1', posting(A1, DUES_ASSESSED, 1));
    await expect(post(good, transaction('due:2', ...postings))).rejects.toMatchObject({ name: 'AssertionError' });
    expect(await rowCounts(harness.database)).toMatchObject({
      ledger_transactions: 0,
      postings: 0,
      ledger_balances: 0,
    });
  });

  test('sums exactly beyond 2^53', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const bank = bankAccount('1');
    await post(
      ...Array.from({ length: 5 }, (_, index) => transaction(`line:${index}`, posting(bank, BANK_UNMATCHED, most))),
      transaction('line:5', posting(bank, BANK_UNMATCHED, 1)),
    );
    expect(await sumOf(bank)).toBe(5n * BigInt(most) + 1n);
    expect(await sumOf(BANK_UNMATCHED)).toBe(-5n * BigInt(most) - 1n);
  });

  test.each([
    ['owes', posting(A1, DUES_ASSESSED, Number.MAX_SAFE_INTEGER), posting(A1, DUES_ASSESSED, 1)],
    ['has as credit', posting(CLEARING, A1, Number.MAX_SAFE_INTEGER), posting(CLEARING, A1, 1)],
  ])('refuses to add to the largest balance that an agent %s, and reverses it', async (_name, most, more) => {
    await post(transaction('most', most));
    const balance = await balanceOf(A1);
    expect(Math.abs(balance)).toBe(Number.MAX_SAFE_INTEGER);
    await expect(post(transaction('more', more))).rejects.toMatchObject({ code: 'conflict' });
    expect(await balanceOf(A1)).toBe(balance);
    await reverse('most', 'none');
    expect(await balanceOf(A1)).toBe(0);
  });

  test('posts more rows than fit into one statement', async () => {
    await post(
      ...Array.from({ length: 1_203 }, (_, index) =>
        transaction(`due:${index}`, posting(A1, DUES_ASSESSED, index + 1)),
      ),
    );
    expect(await balanceOf(A1)).toBe((1_203 * 1_204) / 2);
    expect(await sumOf(A1)).toBe(BigInt((1_203 * 1_204) / 2));
  });

  test('reverses a transaction exactly and refers to it', async () => {
    const original = transaction('x:1', posting(A1, DUES_ASSESSED, 500), posting(A2, A1, 20));
    await post(original);
    const reversal = await reverse('x:1', 'reversal:x:1');
    expect(reversal).toMatchObject({
      reversesId: original.id,
      postings: [posting(DUES_ASSESSED, A1, 500), posting(A1, A2, 20)],
    });
    expect(await harness.database.read((session) => openLedger(session).find('reversal:x:1'))).toEqual(reversal);
    expect(await balanceOf(A1)).toBe(0);
    expect(await balanceOf(A2)).toBe(0);
  });

  test('reverses a transaction once only, under any reference', async () => {
    await post(transaction('x:1', posting(A1, DUES_ASSESSED, 500)));
    const attempts = await Promise.allSettled(
      ['r:1', 'r:2', 'r:3', 'r:4'].map((reference) => reverse('x:1', reference)),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const attempt of attempts) {
      if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ code: 'duplicate_key' });
    }
    expect(await balanceOf(A1)).toBe(0);
    expect(await rowCounts(harness.database)).toMatchObject({ ledger_transactions: 2, postings: 2 });
  });

  test('knows which transactions were reversed', async () => {
    await post(
      transaction('x:1', posting(A1, DUES_ASSESSED, 500)),
      transaction('x:2', posting(A1, DUES_ASSESSED, 500)),
    );
    await reverse('x:1', 'r:1');
    const taken = await harness.database.read((session) =>
      Promise.all(['x:1', 'x:2', 'r:1'].map((reference) => openLedger(session).isTakenBack(reference))),
    );
    expect(taken).toEqual([true, false, false]);
  });

  test('refuses to reverse a reversal or an unknown transaction', async () => {
    await post(transaction('x:1', posting(A1, DUES_ASSESSED, 500)));
    await reverse('x:1', 'r:1');
    await expect(reverse('r:1', 'rr:1')).rejects.toMatchObject({ code: 'conflict' });
    await expect(reverse('x:2', 'r:2')).rejects.toMatchObject({ code: 'not_found' });
    expect(await balanceOf(A1)).toBe(0);
  });

  test.each(['ledger_transactions', 'postings'])('protects rows of %s from change and deletion', async (table) => {
    await post(transaction('x:1', posting(A1, DUES_ASSESSED, 500)));
    const before = await contents(harness.database);
    const column = table === 'postings' ? 'position' : 'occurred_at';
    await expect(harness.database.transact((session) => session(table).update(column, 7))).rejects.toThrow();
    await expect(harness.database.transact((session) => session(table).delete())).rejects.toThrow();
    expect(await contents(harness.database)).toEqual(before);
  });

  test('adds up many concurrent first postings to one agent', async () => {
    const AT_ONCE = 12;
    // Whose row comes between the two steps of another is chance: so many agents.
    for (let number = 1; number <= 20; number += 1) {
      const agent = agentReceivable(`A-${number}`);
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) =>
          harness.database.transact(
            (session) =>
              openLedger(session).post([
                transaction(`due:${number}:${index}`, posting(agent, DUES_ASSESSED, index + 1)),
              ]),
            { retryDuplicate: true },
          ),
        ),
      );
      expect(await balanceOf(agent)).toBe((AT_ONCE * (AT_ONCE + 1)) / 2);
      expect(await sumOf(agent)).toBe(BigInt((AT_ONCE * (AT_ONCE + 1)) / 2));
    }
  });

  test('adds up concurrent transfers between two agents in both directions', async () => {
    await post(
      transaction('due:1', posting(A1, DUES_ASSESSED, 1_000)),
      transaction('due:2', posting(A2, DUES_ASSESSED, 1_000)),
    );
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const moved = index % 2 === 0 ? posting(A1, A2, index + 1) : posting(A2, A1, index + 1);
        return post(transaction(`move:${index}`, moved));
      }),
    );
    expect(await balanceOf(A1)).toBe(995);
    expect(await balanceOf(A2)).toBe(1_005);
  });

  test('keeps a locked balance unchanged by other transactions until the end', async () => {
    await post(transaction('due:1', posting(A1, DUES_ASSESSED, 100)));
    // Each takes what is there and 1 more: only one after the other do eight of them reach 100 * 2^8 + (2^8 - 1).
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        harness.database.transact(async (session) => {
          const ledger = openLedger(session);
          const balance = (await ledger.lockBalances([A1])).get(A1) ?? millimes(0);
          await ledger.post([transaction(`double:${index}`, posting(A1, DUES_ASSESSED, balance + 1))]);
        }),
      ),
    );
    expect(await balanceOf(A1)).toBe(100 * 2 ** 8 + 2 ** 8 - 1);
  });

  test('returns locked balances in byte order, each account once, 0 for new ones', async () => {
    await post(transaction('due:1', posting(A1, DUES_ASSESSED, 100)));
    const accounts = ['é', 'a', 'A1', 'Z', 'A1', '004711', '4711'].map(agentReceivable);
    const locked = await harness.database.transact((session) => openLedger(session).lockBalances(accounts));
    expect([...locked.keys()]).toEqual([...new Set(accounts)].sort(compareBytes));
    expect(locked.get(A1)).toBe(100);
    expect(locked.get(agentReceivable('004711'))).toBe(0);
  });

  test('stores nothing if the work around a posting fails', async () => {
    const failing = harness.database.transact(async (session) => {
      await openLedger(session).post([transaction('due:1', posting(A1, DUES_ASSESSED, 1))]);
      throw aFault('conflict', 'the work was refused');
    });
    await expect(failing).rejects.toMatchObject({ code: 'conflict' });
    expect(await rowCounts(harness.database)).toMatchObject({
      ledger_transactions: 0,
      postings: 0,
      ledger_balances: 0,
    });
  });

  test('refuses to read an account outside the chart', async () => {
    await harness.database.transact((session) =>
      session('ledger_balances').insert({ account: 'slush:1', balance_millimes: 1 }),
    );
    const reading = harness.database.read((session) => openLedger(session).balances(['slush:1' as Account]));
    await expect(reading).rejects.toThrow(/kind that the chart/);
  });

  test('has postings that add up to 0 over all accounts', async () => {
    await post(
      transaction('due:1', posting(A1, DUES_ASSESSED, 500)),
      transaction('service:1', posting(CLEARING, A1, 800), posting(A2, CLEARING, 30)),
    );
    const sums = await Promise.all([A1, A2, DUES_ASSESSED, CLEARING].map(sumOf));
    expect(sums).toContain(770n);
    assert(sums.reduce((total, sum) => total + sum, 0n) === 0n, 'debits are credits');
  });
});
