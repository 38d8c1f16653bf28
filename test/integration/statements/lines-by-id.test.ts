import { expect, test } from '@jest/globals';
import { rowsOf } from '../../../src/db';
import { openStatements } from '../../../src/statements';
import { describeOnEachDatabase } from '../../support/db';
import { openRooms } from '../ledger/rooms';

describeOnEachDatabase('lines of a bank account by their ids', (harness) => {
  test('are read in the order of the bank, with label, amount and account', async () => {
    const rooms = openRooms(harness.database, '2026-03-05T09:00:00+01:00');
    await rooms.importStatement([
      ['03/03/2026', 'VERSEMENT', 80_000],
      ['04/03/2026', 'FRAIS', -2_000],
    ]);
    const lines = await harness.database.read(async (session) => {
      const ids = (await rowsOf(session('bank_statement_lines as l').select('l.id'))).map((row) => String(row['id']));
      return openStatements(session).linesById([...ids, ...ids, '0'.repeat(26)]);
    });
    expect(lines).toMatchObject([
      { bookingDate: '2026-03-03', amount: 80_000, account: expect.stringMatching(/./) },
      { bookingDate: '2026-03-04', amount: -2_000, account: expect.stringMatching(/./) },
    ]);
    expect(lines.map(({ remittance, counterparty }) => `${counterparty}${remittance}`)).toEqual([
      expect.stringContaining('VERSEMENT'),
      expect.stringContaining('FRAIS'),
    ]);
  });
});
