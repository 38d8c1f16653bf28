// Goal: finance imports a bank file in three steps and sees its effect before the last button; an approver decides on one
// that waits.
// Method: requests of a browser without scripts, on both databases.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { bankFileOfBytes } from '../../src/statements';
import { count } from '../api/support/api';
import { statementBytes, type StatementGiven } from '../fixtures/statements/statement-bytes';
import { TESTER } from '../support/factories';
import { describeConsole, person, type Seen, type Visitor } from './support/visitor';

const ACCOUNT = '11222333333333333344';
const ODD = 'Jour,Quoi,Sortie,Entrée,Reste\n10-03-2026,abc,,100.500,1100.500\n11-03-2026,def,50.250,,1050.250\n';

describeConsole('the pages of the bank', (current) => {
  let salma: Visitor;
  beforeEach(async () => {
    current.api.setClock('2026-05-04T09:00:00.000Z');
    salma = await person(current.api);
  });

  const files = (): Promise<number> => count(current.api.millime, 'statement_files');
  const imported = async (given: StatementGiven = {}): Promise<string> => {
    const file = bankFileOfBytes('bank.csv', statementBytes(given));
    const { statements } = await current.api.millime.statements.import({ file, actor: TESTER });
    return statements[0]?.statement.id ?? '';
  };
  const upload = async (content: Buffer, name = 'bank.csv'): Promise<Seen> =>
    salma.send(await salma.get('/console/bank/import'), 'upload', {}, { field: 'file', name, content });

  describe('the import', () => {
    test('shows the proof and the first lines, and stores nothing before the last button', async () => {
      const page = await upload(statementBytes());
      expect(page.path).toMatch(/^\/console\/bank\/uploads\/\w{26}$/);
      expect(page.text).toContain('The file can be imported.');
      // What holds for all the money comes before how the file is read.
      expect(page.text).toMatch(/Account 11222333333333333344.*Currency TND.*How to read the file/s);
      expect(page.text).toContain('Opening 1 000,000 DT');
      expect(page.text).toContain('First statement of this account.');
      expect(page.source.match(/aria-current="step"/g)).toHaveLength(1);
      expect(page.rows).toContainEqual(['7', '02/04/2026', 'VIR RECU SERVICE DE PAIEMENT SA', '1 250,500 DT']);
      expect(await files()).toBe(0);
      const done = await salma.send(page, 'import');
      expect(done.path).toMatch(/^\/console\/bank\/statements\/\w{26}/);
      expect(done.byRole('status')).toEqual(['The file is imported.']);
      expect(await files()).toBe(1);
    });

    test('says which statement the file follows, or that one is missing', async () => {
      await imported({ opening: 1_000, lines: [['02/03/2026', 'A', 500]] });
      const next = await upload(statementBytes({ opening: 1_500, lines: [['03/03/2026', 'B', 500]] }));
      expect(next.text).toContain('Follows the statement through 02/03/2026, without a gap. Closing: 1,500 DT');
      const gap = await upload(statementBytes({ opening: 9_500, lines: [['09/03/2026', 'B', 500]] }));
      expect(gap.text).toContain('A statement is missing before 09/03/2026. Difference: 8,000 DT');
    });

    test('asks for the columns of a file that no profile knows, and imports it by hand', async () => {
      const page = await upload(Buffer.from(ODD));
      expect(page.text).toContain('The file cannot be imported yet.');
      const byHand = page.links.find(({ text }) => text === 'Correct by hand');
      const asked = await salma.get(byHand?.href ?? '');
      expect(asked.text).toContain('State at least which columns are the booking date');
      const fields = Object.entries({
        ...{ by: '.hand', account: ACCOUNT, currency: 'TND', dateFormat: 'dd-mm-yyyy', decimalSign: '.' },
        ...{ c0: 'bookingDate', c1: 'remittance', c2: 'debit', c3: 'credit', c4: 'balance' },
      });
      const [base = ''] = page.path.split('?');
      const read = await salma.get(`${base}?${new URLSearchParams(fields).toString()}`);
      expect(read.text).toContain('The file can be imported.');
      const done = await salma.send(read, 'import');
      expect(done.text).toContain('1 050,250 DT');
      expect(await files()).toBe(1);
    });

    test('asks for what only a person can say, beside the field that answers it, and shows the answers first', async () => {
      const rows = '13/04/2026;a;;1 200 500;500\n15/04/2026;b;500 000;;250\n';
      const page = await upload(Buffer.from(`Date;Libellé;Débit;Crédit;Frais\n${rows}`));
      const [base = ''] = page.path.split('?');
      const form = { by: 'proposed', account: ACCOUNT, currency: 'TND' };
      const at = (fields: Readonly<Record<string, string>>): Promise<Seen> =>
        salma.get(`${base}?${new URLSearchParams({ ...form, ...fields }).toString()}`);
      const asked = await at({});
      expect(asked.text).toContain('Unit of amounts undecided');
      expect(asked.source).toMatch(/href="#field-unit">.*the unit of the amounts, because .*1 200 500/);
      expect(asked.source).toMatch(/id="field-unit".*?<span class="fault">Expected: the unit of the amounts/s);
      expect(asked.source).toMatch(/id="field-setAside".*?<p class="fault">Expected: the meaning of column .*Frais/s);
      expect(asked.source).toContain('<input type="checkbox" name="s4" value="Frais" aria-label=');
      const read = await at({ unit: 'millimes', s4: 'Frais' });
      expect(read.text).toContain('The file can be imported.');
      expect(read.text).toMatch(/Unit of amounts in TND millimes.*Columns not read Frais.*How to read the file/s);
      expect(read.text).toContain('1 200,500 DT');
      expect(read.source).toMatch(/name="s4" value="Frais" checked/);
      await salma.send(read, 'import');
      expect(await files()).toBe(1);
    });

    test('refuses no file, and discards one on request', async () => {
      const form = await salma.get('/console/bank/import');
      const none = await salma.send(form, 'upload', {}, { field: 'file', name: '', content: Buffer.alloc(0) });
      expect(none.status).toBe(400);
      expect(none.byRole('alert')[0]).toContain('file: Choose a file.');
      const gone = await salma.send(await upload(statementBytes()), 'remove');
      expect(gone.byRole('status')).toContain('The file is discarded. Nothing was imported.');
      expect(await count(current.api.millime, 'statement_uploads')).toBe(0);
    });

    test('is refused to a reader', async () => {
      const rania = await person(current.api, { name: 'rania', roles: ['reader'] });
      expect((await rania.get('/console/bank/import')).status).toBe(403);
    });

    test('says that stored statements have the same days, and not that the balances follow', async () => {
      await imported({
        opening: 1_000,
        lines: [
          ['02/03/2026', 'A', 500],
          ['09/03/2026', 'B', 500],
        ],
      });
      const page = await upload(
        statementBytes({
          opening: 70_000,
          lines: [
            ['03/03/2026', 'C', 5],
            ['20/03/2026', 'D', 5],
          ],
        }),
      );
      expect(page.text).toContain('Known statements cover these days already');
      expect(page.text).not.toContain('without a gap');
    });

    test('keeps no file that is imported, so that the next ones have a place', async () => {
      const page = await upload(statementBytes());
      const done = await salma.send(page, 'import');
      expect(done.path).toMatch(/^\/console\/bank\/statements\//);
      expect(await count(current.api.millime, 'statement_uploads')).toBe(0);
      expect((await salma.send(page, 'import')).path).toBe('/console/bank');
    });

    test('takes a file of 9 MiB', async () => {
      const line = '10-03-2026,abc,,100.500,1100.500\n';
      const content = Buffer.from(
        `Jour,Quoi,Sortie,Entrée,Reste\n${line.repeat(Math.ceil((9 * 1024 * 1024) / line.length))}`,
      );
      expect((await upload(content)).path).toMatch(/^\/console\/bank\/uploads\//);
    });
  });

  describe('the statements', () => {
    test('are listed with the coverage of their account and the gaps', async () => {
      await imported({ opening: 1_000, lines: [['02/03/2026', 'A', 500]] });
      const next = await imported({ opening: 9_500, lines: [['09/03/2026', 'B', 500]] });
      const page = await salma.get('/console/bank');
      expect(page.rows).toContainEqual([
        `${ACCOUNT} ▲ wrong check digits`,
        'TND',
        '02/03/2026',
        '09/03/2026',
        '2',
        '0',
      ]);
      expect(page.text).toContain('A statement is missing between two balances.');
      expect(page.links.map(({ href }) => href)).toContain(`/console/bank/statements/${next}`);
    });

    test('need a number that an approver confirms if its key is wrong, with its effect shown before', async () => {
      expect((await salma.get('/console/bank')).text).not.toContain('Names of accounts');
      const karim = await person(current.api, { name: 'karim', roles: ['approver'] });
      const page = await karim.get('/console/bank');
      expect((await karim.send(page, 'previewName', { name: ACCOUNT, reason: ' ' })).status).toBe(400);
      const preview = await karim.send(page, 'previewName', { name: ACCOUNT, reason: 'the bank confirmed it' });
      expect(preview.text).toContain('Statements of this number count from now on');
      expect(await current.api.millime.statements.accounts()).toEqual([]);
      const done = await karim.send(preview, 'decideName');
      expect(done.byRole('status')).toEqual(['The number is confirmed.']);
      expect(await current.api.millime.statements.accounts()).toMatchObject([
        { account: ACCOUNT, accepted: { by: 'karim', reason: 'the bank confirmed it' } },
      ]);
    });

    test('of another name are joined to their account for good', async () => {
      await imported();
      const karim = await person(current.api, { name: 'karim', roles: ['approver'] });
      const given = { name: 'CPT-1', into: ACCOUNT, reason: 'the bank writes it so' };
      const preview = await karim.send(await karim.get('/console/bank'), 'previewName', given);
      expect(preview.text).toContain('Both names are one account, permanently');
      expect((await karim.send(preview, 'decideName')).byRole('status')).toEqual(['Both names are one account.']);
    });

    test('show their lines, and hand out the original file as a download', async () => {
      const id = await imported();
      const page = await salma.get(`/console/bank/statements/${id}`);
      expect(page.text).not.toContain('Announced');
      expect(page.rows[0]).toEqual([
        ...['02/04/2026', '02/04/2026', 'VIR RECU SERVICE DE PAIEMENT SA', 'REF', '✓ possible', '1 250,500 DT'],
        '2 250,500 DT',
      ]);
      const file = await salma.raw('GET', `/console/bank/statements/${id}/file`);
      expect(file.headers['content-disposition']).toContain('attachment');
      expect(file.headers['content-type']).toBe('application/octet-stream');
      expect(file.status).toBe(200);
      expect((await salma.send(page, 'verify')).text).toContain('The file agrees with the stored lines.');
    });

    test('answer not found for an unknown one, its file too', async () => {
      for (const path of ['', '/file']) {
        const page = await salma.get(`/console/bank/statements/01KJQ0Z8XG3T5V7W9Y1B2C4D6F${path}`);
        expect(page.status).toBe(404);
      }
    });
  });

  describe('a statement that waits', () => {
    test('is accepted by an approver, after its effect was shown', async () => {
      const path = `/console/bank/statements/${await imported({ closing: 1 })}`;
      expect((await salma.get(path)).text).toContain('This statement waits for the decision of an approver.');
      const karim = await person(current.api, { name: 'karim', roles: ['approver'] });
      const fields = { decision: 'accept', reason: 'compared with the bank' };
      const effect = await karim.send(await karim.get(path), 'preview', fields);
      expect(effect.text).toContain('The statement will count, and its lines will be posted.');
      expect((await salma.get(path)).text).toContain('waits for the decision');
      const done = await karim.send(effect, 'accept');
      expect(done.byRole('status')).toEqual(['The statement is accepted.']);
      expect((await salma.get('/console/credits?show=all')).rows).not.toEqual([]);
      expect(done.text).toContain('compared with the bank');
    });

    test('is excluded, and keeps what was typed when the reason is missing', async () => {
      const path = `/console/bank/statements/${await imported({ closing: 1 })}`;
      const karim = await person(current.api, { name: 'karim', roles: ['approver'] });
      const refused = await karim.send(await karim.get(path), 'preview', { decision: 'exclude', reason: '' });
      expect((await salma.get('/console/credits?show=all')).rows).toEqual([]);
      expect(refused.status).toBe(400);
      expect(refused.forms.flatMap(({ fields }) => fields)).toContainEqual(['decision', 'exclude']);
      const effect = await karim.send(refused, 'preview', { reason: 'a wrong file' });
      expect(effect.text).toContain('No line will be posted.');
      expect((await karim.send(effect, 'exclude')).byRole('status')).toEqual(['The statement is excluded.']);
      expect((await salma.get('/console/credits?show=all')).rows).toEqual([]);
    });
  });

  test('the profiles of the installation are listed', async () => {
    expect((await salma.get('/console/bank/profiles')).rows[0]?.[0]).toBe('releve-fr-tn');
  });
});
