// Goal: a CSV file that no profile reads and that states no currency is imported once with options, and the next month
// without them. The profiles file keeps what it had.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { OPERATOR } from '../../../src/identity';
import { businessCalendar } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { linesInUse } from '../../../src/reconciliation';
import {
  bankFileOfBytes,
  createStatements,
  type ImportCheck,
  type ImportOutcome,
  profilesFileSchema,
  type Statements,
} from '../../../src/statements';
import { loadProfiles } from '../../../src/statements/testing';
import {
  SHIPPED_PROFILES_FILE,
  statementBytes,
  type StatementGiven,
  statementText,
  windows1252,
} from '../../fixtures/statements/statement-bytes';
import { mt940 } from '../../support/bank-messages';
import { describeOnOneDatabase } from '../../support/db';
import { fixedClock } from '../../support/fakes';

const folder = mkdtempSync(join(tmpdir(), 'profiles-'));
const profilesFile = join(folder, 'profiles.json');
afterAll(() => rmSync(folder, { recursive: true }));

/** As a Tunisian bank writes it: a RIB above, no currency. */
function month(
  number: 4 | 5,
  { header = 'Date;Libellé;Débit;Crédit', rib = '08006012345678901231', amount = '1 250,500' } = {},
): Buffer {
  return Buffer.from(
    [
      `RIB;${rib};;`,
      header,
      `0${number - 1}/0${number}/2026;VIREMENT;;${amount}`,
      `15/0${number}/2026;COMMISSION;1,190;`,
      '',
    ].join('\r\n'),
  );
}

const APRIL = { currency: 'TND', saveProfile: 'ma-banque' };

describeOnOneDatabase('statements import --save-profile', (harness) => {
  let statements: Statements;

  const open = (file = profilesFile, besideShipped = false): Statements =>
    createStatements({
      linesInUse,
      database: harness.database,
      clock: fixedClock('2026-06-04T09:00:00+01:00'),
      calendar: businessCalendar('Africa/Tunis'),
      logger: silentLogger,
      profilesFile: file,
      besideShipped,
    });

  beforeEach(() => {
    copyFileSync(SHIPPED_PROFILES_FILE, profilesFile);
    chmodSync(profilesFile, 0o640);
    statements = open();
  });

  type Options = Omit<Parameters<Statements['check']>[0], 'file' | 'actor'>;
  const given = (bytes: Buffer, options: Options) => ({
    ...options,
    file: bankFileOfBytes('bank.csv', bytes),
    actor: OPERATOR,
  });
  const importFile = (bytes: Buffer, options: Options = {}): Promise<ImportOutcome> =>
    statements.import(given(bytes, options));
  const check = (bytes: Buffer, options: Options = {}): Promise<ImportCheck> =>
    statements.check({ ...given(bytes, options), readsKnown: true });

  test('saves the profile with the currency, and the next month needs no option', async () => {
    expect(await importFile(month(4), APRIL)).toMatchObject({
      kind: 'imported',
      file: { profile: 'ma-banque' },
      statements: [{ statement: { account: '08006012345678901231', currency: 'TND', creditsMinor: 1_250_500 } }],
    });
    expect(loadProfiles(profilesFile).map(({ name }) => name)).toEqual(['releve-fr-tn', 'ma-banque']);
    expect(statSync(profilesFile).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(['profiles.json']);
    const saved = readFileSync(profilesFile, 'utf8');
    expect(saved).toContain('"fixed": "TND"');
    expect(saved).not.toContain('08006012345678901231');

    statements = open();
    expect(await importFile(month(5))).toMatchObject({
      kind: 'imported',
      file: { profile: 'ma-banque' },
      statements: [{ statement: { currency: 'TND' } }],
    });
    expect(readFileSync(profilesFile, 'utf8')).toBe(saved);
    for (const { statement } of (await statements.list({ limit: 100 })).rows) {
      expect((await statements.reread(statement.id)).differences).toEqual([]);
    }
  });

  test.each(['tnd', 'dt', 'Dinar Tunisien'])('reads the currency %s as TND and saves its code', async (currency) => {
    await importFile(month(4), { ...APRIL, currency });
    expect((await statements.list({ limit: 100 })).rows).toMatchObject([{ statement: { currency: 'TND' } }]);
    expect(readFileSync(profilesFile, 'utf8')).toContain('"fixed": "TND"');
  });

  test('saves a payout pattern that selects the credits of this import and of the next month', async () => {
    const candidates = async (): Promise<boolean[]> => {
      const shown = await Promise.all(
        (await statements.list({ limit: 100 })).rows.map(({ statement }) => statements.show(statement.id)),
      );
      return shown.flatMap(({ lines }) => lines).map(({ line }) => line.payoutCandidate);
    };
    await importFile(month(4), { ...APRIL, payoutPattern: '^virement$' });
    expect(await candidates()).toEqual([true, false]);
    statements = open();
    await importFile(month(5));
    expect((await candidates()).filter(Boolean)).toHaveLength(2);
    for (const { statement } of (await statements.list({ limit: 100 })).rows) {
      expect((await statements.reread(statement.id)).differences).toEqual([]);
    }
  });

  test('saves the payout pattern of an account for a format that needs no other profile', async () => {
    const ends = { opening: { amount: 0, day: '2026-04-01' }, closing: { amount: 1_000, day: '2026-04-30' } };
    const entries = [{ day: '2026-04-02', amount: 1_000, text: 'VIREMENT' }];
    const file = mt940([{ account: '08006012345678901231', ...ends, entries }]);
    const saved = { saveProfile: 'sa-banque', payoutPattern: 'PASSERELLE', withoutPayouts: true };
    expect(await importFile(file, saved)).toMatchObject({ kind: 'imported' });
    const [listed] = (await statements.list({ limit: 100 })).rows;
    const { lines } = await statements.show(listed?.statement.id ?? '');
    expect(lines.map(({ line }) => line.payoutCandidate)).toEqual([false]);
    expect(loadProfiles(profilesFile).at(-1)).toMatchObject({ format: 'mt940', account: '08006012345678901231' });
    expect(await importFile(file, saved)).toMatchObject({ kind: 'already_imported' });
  });

  test('counts the credits that the pattern recognizes, and refuses to save one that recognizes none', async () => {
    const typed = { ...APRIL, payoutPattern: '^VIREMNT$' };
    const message = 'payoutPattern: the pattern recognizes 0 of 1 credit; correct it, or add --without-payouts';
    const refusal = { code: 'bad_input', message: expect.stringContaining(message) };
    expect(await check(month(4), typed)).toMatchObject({ refusals: [refusal], payouts: { credits: 1, recognized: 0 } });
    await expect(importFile(month(4), typed)).rejects.toMatchObject(refusal);
    expect((await statements.list({ limit: 100 })).rows).toEqual([]);
    expect(readFileSync(profilesFile, 'utf8')).not.toContain('ma-banque');

    await importFile(month(4), { ...typed, payoutPattern: '^VIREMENT$' });
    statements = open();
    const other = Buffer.from(month(5).toString().replace('VIREMENT', 'VERSEMENT'));
    // A stored pattern may meet a file without payouts.
    expect(await check(other)).toMatchObject({ outcome: 'imported', payouts: { credits: 1, recognized: 0 } });
    expect(await check(month(5))).toMatchObject({ payouts: { credits: 1, recognized: 1, pattern: '^VIREMENT$' } });
  });

  test.each([
    [{ currency: 'TND', profile: 'proposed', payoutPattern: 'X' }, 'payoutPattern: is kept only in a saved profile'],
    [{ ...APRIL, payoutPattern: '(' }, 'payoutPattern: expected a regular expression, got "("'],
  ])('refuses %j and saves nothing', async (options, message) => {
    await expect(importFile(month(4), options)).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining(message),
    });
    expect((await statements.list({ limit: 100 })).rows).toEqual([]);
    expect(readFileSync(profilesFile, 'utf8')).toBe(readFileSync(SHIPPED_PROFILES_FILE, 'utf8'));
  });

  test('repeats without a change, even if the file is stored', async () => {
    await importFile(month(4), { profile: 'proposed', currency: 'TND' });
    expect(await importFile(month(4), APRIL)).toMatchObject({ kind: 'already_imported' });
    const saved = readFileSync(profilesFile, 'utf8');
    expect(saved).toContain('"ma-banque"');
    expect(await importFile(month(4), APRIL)).toMatchObject({ kind: 'already_imported' });
    expect(await importFile(month(5), { ...APRIL, profile: 'proposed' })).toMatchObject({ kind: 'imported' });
    expect(readFileSync(profilesFile, 'utf8')).toBe(saved);
  });

  test('uses the currency of the account in stored statements, and reports it', async () => {
    await importFile(month(4), { profile: 'proposed', currency: 'TND' });
    const options = { saveProfile: 'ma-banque' };
    expect(await check(month(5), options)).toMatchObject({
      outcome: 'imported',
      savesProposal: true,
      remarks: [expect.stringContaining('used TND, that of the stored statements of account 08006012345678901231')],
      proposal: { entry: { name: 'ma-banque', currency: { fixed: 'TND' } }, gaps: [] },
    });
    expect(readFileSync(profilesFile, 'utf8')).not.toContain('ma-banque');
    expect(await importFile(month(5), options)).toMatchObject({ kind: 'imported' });
    expect(loadProfiles(profilesFile)).toContainEqual(expect.objectContaining({ currency: { fixed: 'TND' } }));
  });

  test('uses the currency of a person or of stored statements for a profile whose row the file lacks', async () => {
    const without = (row: RegExp, given: StatementGiven): Buffer => windows1252(statementText(given).replace(row, ''));
    const [currency, rib] = [/Devise.*\r\n/, /RIB.*\r\n/];
    const account = '08006012345678901231';
    const unknown = without(currency, { account });
    const missing = { problem: { code: 'currency_missing' }, message: expect.stringContaining('--currency TND') };
    expect((await check(unknown)).refusals).toMatchObject([missing]);
    await expect(importFile(unknown)).rejects.toMatchObject(missing);
    await expect(importFile(without(rib, {}))).rejects.toMatchObject({
      problem: { code: 'account_missing' },
      message: expect.stringContaining('--account'),
    });
    expect(await check(unknown, { currency: 'TND' })).toMatchObject({ outcome: 'imported', remarks: [] });
    expect(await importFile(unknown, { currency: 'TND' })).toMatchObject({ kind: 'imported' });
    const later = without(currency, { account, opening: 2_028_120, lines: [['07/04/2026', 'VIREMENT', 5]] });
    expect(await check(later)).toMatchObject({ remarks: [expect.stringContaining('used TND')] });
    expect(await importFile(later)).toMatchObject({ kind: 'imported' });
    expect((await statements.list({ limit: 100 })).rows).toMatchObject([
      { statement: { currency: 'TND' } },
      { statement: { currency: 'TND' } },
    ]);
  });

  test('saves the decimal sign that a person gives, and the next month needs no option', async () => {
    const bytes = month(4, { amount: '250,500' });
    const given = { ...APRIL, decimalSign: ',' } as const;
    const codes = ({ refusals }: ImportCheck): string[] => refusals.map(({ problem: { code } }) => code);
    const undecided = await check(bytes, { currency: 'TND' });
    expect(codes(undecided)).toEqual(['decimal_sign_undecided', 'profile_unconfirmed']);
    expect(undecided).toMatchObject({
      scanned: undefined,
      proposal: { entry: { decimalSign: '<decimalSign>', columns: { credit: 'Crédit' }, currency: { fixed: 'TND' } } },
    });
    expect(undecided.proposal?.gaps.map(({ option }) => option)).toEqual(['--decimal-sign', '--save-profile']);
    expect(profilesFileSchema.safeParse({ profiles: [undecided.proposal?.entry] }).success).toBe(false);

    expect(await check(bytes, given)).toMatchObject({
      outcome: 'imported',
      proposal: { entry: { decimalSign: ',' }, gaps: [] },
    });
    expect(await importFile(bytes, given)).toMatchObject({ kind: 'imported' });
    expect(loadProfiles(profilesFile).at(-1)).toMatchObject({ name: 'ma-banque', decimalSign: ',' });
    expect(await importFile(bytes, given)).toMatchObject({ kind: 'already_imported' });
    statements = open();
    await importFile(month(5, { amount: '250,500' }));
    expect((await statements.list({ limit: 100 })).rows).toMatchObject([
      { statement: { creditsMinor: 250_500 } },
      { statement: { creditsMinor: 250_500 } },
    ]);
  });

  test('saves the unit and the columns that a person sets aside, and the next month needs no option', async () => {
    const fees = (number: 4 | 5): Buffer => {
      const rows = [`02/0${number}/2026;VIREMENT;;1 250 500;500`, `15/0${number}/2026;COMMISSION;1 190;;250`];
      return Buffer.from(['RIB;08006012345678901231', 'Date;Libellé;Débit;Crédit;Frais', ...rows, ''].join('\r\n'));
    };
    const answers = { unit: 'millimes', setAside: ['Frais'] } as const;
    expect(await importFile(fees(4), { ...APRIL, ...answers })).toMatchObject({ kind: 'imported' });
    expect(loadProfiles(profilesFile).at(-1)).toMatchObject({
      unit: 'millimes',
      setAside: { Frais: expect.anything() },
    });
    statements = open();
    expect((await check(fees(5), answers)).scanned?.reading).toMatchObject({ profile: 'ma-banque', ...answers });
    await importFile(fees(5));
    expect((await statements.list({ limit: 100 })).rows).toMatchObject([
      { statement: { creditsMinor: 1_250_500 } },
      { statement: { creditsMinor: 1_250_500 } },
    ]);
  });

  test('saves no profile with an open choice, even if the file is stored', async () => {
    const bytes = month(4, { amount: '250,500' });
    await importFile(bytes, { profile: 'proposed', currency: 'TND', decimalSign: '.', unit: 'dinars' });
    const before = readFileSync(profilesFile, 'utf8');
    await expect(importFile(bytes, APRIL)).rejects.toMatchObject({ problem: { code: 'decimal_sign_undecided' } });
    expect(readFileSync(profilesFile, 'utf8')).toBe(before);
    // The choice of the import is not stored, so a new reading finds it by its figures.
    for (const { statement } of (await statements.list({ limit: 100 })).rows) {
      expect(statement.creditsMinor).toBe(250_500_000);
      expect((await statements.reread(statement.id)).differences).toEqual([]);
    }
  });

  test('reads a stored file again with the columns that a person set aside', async () => {
    const rows = ['02/04/2026;VIREMENT;;1 250 500;500;1', '15/04/2026;COMMISSION;1 190;;250;2'];
    const text = ['RIB;08006012345678901231', 'Date;Libellé;Débit;Crédit;Frais;Agios', ...rows, ''].join('\r\n');
    const answers = { unit: 'millimes', setAside: ['Frais', 'Agios'] } as const;
    await importFile(Buffer.from(text), { profile: 'proposed', currency: 'TND', ...answers });
    const [listed] = (await statements.list({ limit: 100 })).rows;
    expect((await statements.reread(listed?.statement.id ?? '')).differences).toEqual([]);
  });

  test('marks what a person must fill, and no profile with a mark can be loaded', async () => {
    const { proposal, outcome } = await check(month(4));
    expect(outcome).toBe('refused');
    expect(proposal).toMatchObject({
      entry: { name: '<name>', currency: { fixed: '<currency>' } },
      gaps: [
        { field: 'name', option: '--save-profile' },
        { field: 'currency', option: '--currency' },
      ],
    });
    const messageOf = (entry: unknown): string => {
      const { error } = profilesFileSchema.safeParse({ profiles: [entry] });
      return error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ') ?? '';
    };
    expect(messageOf(proposal?.entry)).toContain('name must be lower-case letters');
    expect(messageOf({ ...proposal?.entry, name: 'a-bank' })).toContain('must be a currency of ISO 4217, such as TND');
    expect(messageOf({ ...proposal?.entry, name: 'a-bank', currency: { fixed: 'TND' } })).toBe('');
  });

  test.each<[string, Options, Buffer, { code: string; field?: string; message: string }]>([
    [
      'no currency',
      { saveProfile: 'ma-banque' },
      month(4),
      { code: 'currency_missing', field: 'currency', message: '--currency' },
    ],
    [
      'a name of capitals',
      { ...APRIL, saveProfile: 'Banque' },
      month(4),
      { code: 'bad_input', field: 'saveProfile', message: 'lower-case letters' },
    ],
    [
      'the name of the proposal',
      { ...APRIL, saveProfile: 'proposed' },
      month(4),
      { code: 'bad_input', field: 'saveProfile', message: 'other than "proposed"' },
    ],
    [
      'the name of another profile',
      { ...APRIL, saveProfile: 'releve-fr-tn' },
      month(4),
      { code: 'profile_exists', message: 'another name' },
    ],
    [
      'a file that a profile reads',
      { saveProfile: 'ma-banque' },
      statementBytes(),
      { code: 'bad_input', field: 'saveProfile', message: 'releve-fr-tn reads' },
    ],
  ])('refuses %s, and stores nothing', async (_name, options, bytes, { code, field, message }) => {
    const before = readFileSync(profilesFile, 'utf8');
    const expected = { problem: { code, ...(field && { field }) }, message: expect.stringContaining(message) };
    expect((await check(bytes, options)).refusals).toMatchObject([expected]);
    await expect(importFile(bytes, options)).rejects.toMatchObject(expected);
    expect(readFileSync(profilesFile, 'utf8')).toBe(before);
    expect((await statements.list({ limit: 100 })).rows).toEqual([]);
  });

  test('refuses the shipped profiles file and names the variable', async () => {
    statements = open(SHIPPED_PROFILES_FILE);
    const before = readFileSync(SHIPPED_PROFILES_FILE, 'utf8');
    await expect(importFile(month(4), APRIL)).rejects.toMatchObject({
      problem: { field: 'STATEMENT_PROFILES_FILE' },
      message: expect.stringMatching(
        /expected the path of a file of yours, got nothing; remove the variable, or copy .* and set/,
      ),
    });
    expect(readFileSync(SHIPPED_PROFILES_FILE, 'utf8')).toBe(before);
    expect((await statements.list({ limit: 100 })).rows).toEqual([]);
  });

  describe('without STATEMENT_PROFILES_FILE', () => {
    const data = join(folder, 'data');
    const saved = join(data, 'statement-profiles.json');
    const namesOf = (): string[] =>
      open(saved, true)
        .profiles()
        .map(({ name }) => name);

    beforeEach(() => {
      statements = open(saved, true);
    });
    afterEach(() => rmSync(data, { recursive: true, force: true }));

    test('saves into a new file that only its owner reads, beside the shipped profiles', async () => {
      expect(await check(month(4))).toMatchObject({ savesProfiles: true });
      expect(await check(month(4), APRIL)).toMatchObject({ outcome: 'imported' });
      expect(existsSync(data)).toBe(false);
      await importFile(month(4), APRIL);
      expect(statSync(saved).mode & 0o777).toBe(0o600);
      expect(readdirSync(data)).toEqual(['statement-profiles.json']);
      expect(loadProfiles(saved).map(({ name }) => name)).toEqual(['ma-banque']);
      expect(namesOf()).toEqual(['ma-banque', 'releve-fr-tn']);

      statements = open(saved, true);
      expect(await importFile(month(5))).toMatchObject({ kind: 'imported', file: { profile: 'ma-banque' } });
      expect(await importFile(statementBytes(), { account: '11222333333333333344' })).toMatchObject({
        file: { profile: 'releve-fr-tn' },
      });
    });

    test('refuses the name of a shipped profile, and stores nothing', async () => {
      await expect(importFile(month(4), { ...APRIL, saveProfile: 'releve-fr-tn' })).rejects.toMatchObject({
        problem: { code: 'profile_exists' },
        message: expect.stringMatching(
          /shipped profile "releve-fr-tn" differs .* another name; "millime statements pr/,
        ),
      });
      expect(existsSync(data)).toBe(false);
      expect((await statements.list({ limit: 100 })).rows).toEqual([]);
    });

    test('prefers a saved profile to a shipped one that an upgrade names alike', async () => {
      await importFile(month(4), APRIL);
      writeFileSync(saved, readFileSync(saved, 'utf8').replace('ma-banque', 'releve-fr-tn'));
      expect(namesOf()).toEqual(['releve-fr-tn']);
      statements = open(saved, true);
      expect(await importFile(month(5))).toMatchObject({ file: { profile: 'releve-fr-tn' } });
    });

    test('names a faulty file, and one that cannot be read', () => {
      writeFileSync(data, 'a file in place of the folder');
      expect(namesOf).toThrow(/STATEMENT_PROFILES_FILE: .*statement-profiles.json: cannot be read/);
      rmSync(data);
      mkdirSync(data);
      writeFileSync(saved, '{');
      expect(namesOf).toThrow(/STATEMENT_PROFILES_FILE: .*statement-profiles.json: expected JSON/);
    });
  });

  test('refuses to save while another process saves, and stores nothing', async () => {
    const lock = `${profilesFile}.new`;
    writeFileSync(lock, '');
    try {
      await expect(importFile(month(4), APRIL)).rejects.toMatchObject({ problem: { code: 'file_locked' } });
      expect((await statements.list({ limit: 100 })).rows).toEqual([]);
      expect(loadProfiles(profilesFile)).toHaveLength(1);
    } finally {
      rmSync(lock);
    }
  });
});
