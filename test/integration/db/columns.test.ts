// Goal: both engines store values unchanged, byte for byte and millime for millime, or refuse them.
// Method: the values that each engine is known to change when a table or a session has the usual settings.
import { expect, test } from '@jest/globals';
import { toTotal } from '../../../src/kernel';
import { describeOnEachDatabase } from '../../support/db';
import { agentIds, agentRow, dueRow } from './rows';

describeOnEachDatabase('columns', (harness) => {
  const { MAX_SAFE_INTEGER } = Number;

  test.each([
    ['leading zeros and fractions', ['004711', '4711', '4711.0', '4.711e3', '+4711']],
    ['letters of different case', ['agent1', 'AGENT1', 'Agent1']],
    ['accents', ['agent', 'àgent', 'ägent']],
    ['composed and decomposed accents', ['\u00e9', 'e\u0301']],
    ['Arabic, with and without marks', ['وكيل', 'وَكيل', 'وكيل\u200f']],
    ['emoji', ['👩', '👩🏽', '👨']],
    ['inner spaces of different width', ['a b', 'a\u00a0b', 'a  b']],
  ])('keep identifiers that differ in %s apart', async (_what, ids) => {
    await harness.database.transact((session) => session('agents').insert(ids.map(agentRow)));
    expect(await harness.database.read(agentIds)).toEqual([...ids].sort());
    for (const id of ids) {
      const found = await harness.database.read((session) =>
        session('agents').where('agent_id', id).select('agent_id'),
      );
      expect(found.map((row) => row['agent_id'])).toEqual([id]);
    }
  });

  test('hold the longest identifier, 255 bytes of four-byte characters included', async () => {
    const longest = '👩'.repeat(63) + 'abc';
    expect(Buffer.byteLength(longest)).toBe(255);
    await harness.database.transact((session) => session('agents').insert(agentRow(longest)));
    expect(await harness.database.read(agentIds)).toEqual([longest]);
  });

  test.each([
    ['2^63', 2 ** 63],
    ['2^63 as text', '9223372036854775808'],
    ['-2^63 - 1 as text', '-9223372036854775809'],
    ['words', 'many'],
  ])('refuse an amount of %s', async (_what, amount) => {
    const stored = harness.database.transact((session) => session('dues').insert(dueRow('D1', amount)));
    await expect(stored).rejects.toMatchObject({ code: 'internal' });
    expect(await harness.database.read((session) => session('dues').select('reference'))).toEqual([]);
  });

  // MariaDB rounds it; there the type Millimes alone keeps fractions away, which test/unit/kernel checks.
  if (harness.dialect === 'sqlite') {
    test('refuse an amount with a fraction', async () => {
      const stored = harness.database.transact((session) => session('dues').insert(dueRow('D1', 1.5)));
      await expect(stored).rejects.toMatchObject({ code: 'internal' });
    });
  }

  test('return the largest amounts of either sign unchanged', async () => {
    const amounts = [MAX_SAFE_INTEGER, -MAX_SAFE_INTEGER, 0];
    await harness.database.transact((session) =>
      session('dues').insert(amounts.map((amount, index) => dueRow(`D${index}`, amount))),
    );
    const rows = await harness.database.read((session) =>
      session('dues').orderBy('reference').select('amount_millimes'),
    );
    expect(rows.map((row) => toTotal(row['amount_millimes']))).toEqual(amounts.map(BigInt));
  });

  test('add up exactly beyond 2^53', async () => {
    const references = ['D1', 'D2', 'D3', 'D4', 'D5'];
    await harness.database.transact((session) =>
      session('dues').insert(references.map((reference) => dueRow(reference, MAX_SAFE_INTEGER))),
    );
    const [row] = await harness.database.read((session) =>
      session('dues').select(session.fragment('cast(sum(amount_millimes) as char) as total')),
    );
    expect(toTotal(row?.['total'])).toBe(5n * BigInt(MAX_SAFE_INTEGER));
  });

  test('never truncate a text that is too long', async () => {
    const tooLong = { ...agentRow('A1'), full_name: 'x'.repeat(1_001) };
    const insert = harness.database.transact((session) => session('agents').insert(tooLong));
    if (harness.dialect === 'mariadb') await expect(insert).rejects.toMatchObject({ code: 'internal' });
    else await insert; // SQLite has no lengths: the whole text is kept
    const rows = await harness.database.read((session) => session('agents').select('full_name'));
    expect(rows.map((row) => String(row['full_name']).length)).toEqual(harness.dialect === 'mariadb' ? [] : [1_001]);
  });

  test.each(['update', 'delete'] as const)('refuse to %s a row of an append-only table', async (action) => {
    await harness.database.transact((session) => session('dues').insert(dueRow('D1', 5)));
    const change = harness.database.transact((session) =>
      action === 'update' ? session('dues').update({ amount_millimes: 6 }) : session('dues').delete(),
    );
    await expect(change).rejects.toMatchObject({ code: 'internal' });
    const rows = await harness.database.read((session) => session('dues').select('amount_millimes'));
    expect(rows).toEqual([{ amount_millimes: 5 }]);
  });

  test('refuse a posting without its transaction', async () => {
    const orphan = {
      transaction_id: '0'.repeat(26),
      position: 1,
      debit_account: 'a',
      credit_account: 'b',
      amount_millimes: 1,
    };
    const insert = harness.database.transact((session) => session('postings').insert(orphan));
    await expect(insert).rejects.toMatchObject({ code: 'internal' });
  });
});
