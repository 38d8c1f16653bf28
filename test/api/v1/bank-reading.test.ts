// Goal: a person reads a bank file that no profile knows by naming its columns, and sees what an import of it would do.
// Method: uploads of odd CSV files over HTTP, on both databases.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { bankFileOfBytes } from '../../../src/statements';
import { statementBytes } from '../../fixtures/statements/statement-bytes';
import { TESTER } from '../../support/factories';
import { count, describeApi } from '../support/api';
import { type ApiClient, apiClient } from './support/api-client';

const ACCOUNT = '11222333333333333344';
/** No known word names its columns. */
const ODD = ['Jour,Quoi,Sortie,Entrée,Reste', '10-03-2026,abc,,100.500,1100.500', '11-03-2026,def,50.250,,1050.250'];
const BY_HAND = {
  columns: { bookingDate: 'Jour', remittance: 'Quoi', debit: 'Sortie', credit: 'Entrée', balance: 'Reste' },
  ...{ encoding: 'utf-8', delimiter: ',', dateFormat: 'dd-mm-yyyy', decimalSign: '.', order: 'oldest-first' },
  ...{ statesOpening: false, statesClosing: false },
};

describeApi('a bank file', (current) => {
  let client: ApiClient;
  beforeEach(async () => {
    client = await apiClient(current.api);
    current.api.setClock('2026-05-04T09:00:00.000Z');
  });

  const upload = async (body: Uint8Array): Promise<{ uploadId: string }> => {
    const answer = await client.call('uploadBankFile', { query: { fileName: 'bank.csv' }, body });
    return { uploadId: answer.body.id as string };
  };
  const odd = (): Promise<{ uploadId: string }> => upload(Buffer.from(`${ODD.join('\n')}\n`));
  const given = { account: ACCOUNT, currency: 'TND', byHand: BY_HAND };

  test('shows its headings and first rows', async () => {
    const { sample } = await client.done('sampleBankUpload', { params: await odd() });
    expect(sample).toEqual({
      ...{ encoding: 'utf-8', delimiter: ',', line: 1, columns: ['Jour', 'Quoi', 'Sortie', 'Entrée', 'Reste'] },
      rows: [
        { line: 2, cells: ['10-03-2026', 'abc', '', '100.500', '1100.500'] },
        { line: 3, cells: ['11-03-2026', 'def', '50.250', '', '1050.250'] },
      ],
    });
    const mt940 = await upload(Buffer.from(':20:X\r\n:25:123\r\n:28C:1\r\n'));
    expect(await client.done('sampleBankUpload', { params: mt940 })).toMatchObject({ sample: null });
  });

  test('is refused without a profile, and read by hand', async () => {
    const params = await odd();
    const auto = await client.done('checkBankReading', { params, body: {} });
    expect(auto.check).toMatchObject({ outcome: 'refused', statements: [] });
    const { check } = await client.done('checkBankReading', { params, body: given });
    expect(check).toMatchObject({
      ...{ outcome: 'imported', format: 'csv', verdict: 'ok', refusals: [], sharesDays: false },
      statements: [{ opening: '1000.000', credits: '100.500', debits: '50.250', closing: '1050.250', entries: 2 }],
      chain: [{ account: ACCOUNT, firstDate: '2026-03-10', previous: null, follows: true, differences: [] }],
    });
    expect(await count(current.api.millime, 'statement_files')).toBe(0);
    const imported = await client.done('importBankUpload', { params, body: given });
    expect(imported).toMatchObject({ outcome: 'imported', statements: [{ verdict: 'ok', closing: '1050.250' }] });
  });

  test('asks for the unit and for a column that nothing reads, and is read with the answers', async () => {
    const rows = ['13/04/2026;a;;1 200 500;500', '15/04/2026;b;500 000;;250'];
    const params = await upload(Buffer.from(['Date;Libellé;Débit;Crédit;Frais', ...rows, ''].join('\n')));
    const form = { account: ACCOUNT, currency: 'TND', profile: 'proposed' };
    const asked = await client.done('checkBankReading', { params, body: form });
    expect(asked.check).toMatchObject({
      refusals: [
        { code: 'unit_undecided', params: { field: 'unit' } },
        { code: 'column_undecided', errors: [{ pointer: '/setAside' }] },
      ],
      ...{ unit: null, setAside: [] },
    });
    const answers = { ...form, unit: 'millimes', setAside: ['Frais'] };
    const { check } = await client.done('checkBankReading', { params, body: answers });
    expect(check).toMatchObject({
      ...{ outcome: 'imported', refusals: [], unit: 'millimes', setAside: ['Frais'] },
      statements: [{ credits: '1200.500', debits: '500.000' }],
    });
    const query = { ...form, unit: 'millimes', unmarked: 'credit' };
    const { check: byQuery } = await client.done('checkBankUpload', { params, query });
    expect(byQuery).toMatchObject({ refusals: [{ code: 'column_undecided' }] });
    expect(await client.done('importBankUpload', { params, body: answers })).toMatchObject({ outcome: 'imported' });
  });

  test('has by hand the unit and the side of bare amounts that the person gives', async () => {
    const params = await upload(Buffer.from('Jour;Quoi;Combien\n13/04/2026;a;1 200 500\n15/04/2026;b;-500 000\n'));
    const columns = { bookingDate: 'Jour', remittance: 'Quoi', amount: 'Combien' };
    const byHand = { ...BY_HAND, columns, delimiter: ';', dateFormat: 'dd/mm/yyyy' };
    const body = { ...given, byHand, unit: 'millimes', unmarked: 'credit' };
    const { check } = await client.done('checkBankReading', { params, body });
    expect(check).toMatchObject({ unit: 'millimes', statements: [{ credits: '1200.500', debits: '500.000' }] });
  });

  test.each([
    ['bookingDate', { remittance: 'Quoi', amount: 'Reste' }],
    ['columns', { bookingDate: 'Jour', remittance: 'Quoi', debit: 'Sortie' }],
  ])('is not read by hand without %s, and the fault names it', async (field, columns) => {
    const body = { ...given, byHand: { ...BY_HAND, columns } };
    const problem = await client.problem('checkBankReading', { params: await odd(), body });
    expect(problem).toMatchObject({ code: 'bad_input', errors: [{ pointer: `/${field}` }] });
  });

  describe('among the statements of its account', () => {
    const line = (date: string, amount: number) => [date, 'VIREMENT', amount] as const;
    beforeEach(async () => {
      const bytes = statementBytes({ opening: 1_000, lines: [line('02/03/2026', 500)] });
      await current.api.millime.statements.import({ file: bankFileOfBytes('a.csv', bytes), actor: TESTER });
    });
    const placeOf = async (opening: number, date: string) => {
      const params = await upload(statementBytes({ opening, lines: [line(date, 250)] }));
      return (await client.done('checkBankReading', { params, body: {} })).check;
    };

    test('follows the statement before it', async () => {
      expect((await placeOf(1_500, '03/03/2026')).chain).toMatchObject([
        { previous: { through: '2026-03-02', closing: '1.500' }, follows: true, differences: [] },
      ]);
    });

    test('names a gap with its amount, and a balance that jumps', async () => {
      expect((await placeOf(2_000, '09/03/2026')).chain).toMatchObject([
        { follows: false, differences: [{ kind: 'gap', since: '2026-03-09', amount: '0.500' }] },
      ]);
      expect((await placeOf(2_000, '03/03/2026')).chain).toMatchObject([
        { follows: false, differences: [{ kind: 'break', since: '2026-03-03', amount: '0.500' }] },
      ]);
    });

    test('says that lines of the same days are known', async () => {
      expect(await placeOf(1_500, '02/03/2026')).toMatchObject({ sharesDays: true });
    });

    test('is in the coverage of its account', async () => {
      const { accounts } = await client.done('listBankAccounts', {});
      expect(accounts).toMatchObject([
        {
          account: ACCOUNT,
          coverage: [{ currency: 'TND', from: '2026-03-02', through: '2026-03-02', statements: 1, waiting: 0 }],
        },
      ]);
      const waiting = statementBytes({ opening: 9, closing: 1, lines: [line('04/03/2026', 500)] });
      await current.api.millime.statements.import({ file: bankFileOfBytes('b.csv', waiting), actor: TESTER });
      expect((await client.done('listBankAccounts', {})).accounts[0].coverage).toEqual([
        { currency: 'TND', from: '2026-03-02', through: '2026-03-02', statements: 1, waiting: 1 },
      ]);
    });
  });
});
