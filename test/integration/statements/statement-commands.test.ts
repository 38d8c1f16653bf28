import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { type CliIo, registerStatementCommands, type RunCommand } from '../../../src/cli/testing';
import type { Millime } from '../../../src/compose';
import { createIdentity } from '../../../src/identity';
import { businessCalendar, WorkingDays } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { createReconciliation, linesInUse } from '../../../src/reconciliation';
import { createStatements } from '../../../src/statements';
import {
  SHIPPED_PROFILES_FILE,
  statementBytes,
  statementText,
  windows1252,
} from '../../fixtures/statements/statement-bytes';
import { describeOnOneDatabase } from '../../support/db';
import { fixedClock } from '../../support/fakes';

const folder = mkdtempSync(join(tmpdir(), 'statements-'));
const file = join(folder, 'bank.csv');
afterAll(() => rmSync(folder, { recursive: true }));

describeOnOneDatabase('millime statements', (harness) => {
  let lines: string[];
  let documents: unknown[];

  async function run(...args: string[]): Promise<unknown> {
    let code: unknown;
    lines = [];
    documents = [];
    const io: CliIo = { line: (text = '') => void lines.push(text), json: (value) => void documents.push(value) };
    const { database } = harness;
    const clock = fixedClock('2026-05-04T09:00:00+01:00');
    const calendar = businessCalendar('Africa/Tunis');
    const identity = createIdentity({ database, clock, logger: silentLogger });
    const statements = createStatements({
      linesInUse,
      database,
      clock,
      calendar,
      logger: silentLogger,
      profilesFile: SHIPPED_PROFILES_FILE,
    });
    const reporting = { fullId: async (_kinds: unknown, id: string) => id };
    const config = { apiKey: undefined, database: { kind: database.dialect, file } };
    const program = new Command().exitOverride();
    const runOnRoom = async (work: Parameters<RunCommand>[0]): Promise<void> => {
      const reconciliation = {
        ...createReconciliation({
          database,
          clock,
          calendar,
          workingDays: new WorkingDays([]),
          logger: silentLogger,
        }),
        runs: async () => ({ rows: [{ through: '2026-03-31' }], next: undefined }),
      };
      const rooms = { statements, reconciliation, identity, calendar, database, reporting, config };
      code = await work(rooms as unknown as Millime, io);
    };
    registerStatementCommands(program, Object.assign(runOnRoom, { onNewBooks: runOnRoom, beforeMigration: runOnRoom }));
    await program.parseAsync(['statements', ...args], { from: 'user' });
    return code;
  }

  beforeEach(() => writeFileSync(file, statementBytes()));

  test('import --dry-run --json prints the verdict and the figures, and stores nothing', async () => {
    await run('import', file, '--dry-run', '--json');
    expect(documents).toEqual([
      {
        unit: 'dinars',
        setAside: [],
        verdict: 'ok',
        statements: [
          {
            account: '11222333333333333344',
            currency: 'TND',
            opening: '1000.000',
            closing: '2028.120',
            entries: 5,
            credits: '1330.500',
            debits: '302.380',
            pendingEntries: 0,
            verdict: 'ok',
            missing: [],
          },
        ],
        outcome: 'imported',
        wouldImport: true,
        refusals: [],
        warnings: [],
        remarks: ['account 11222333333333333344: expected the key 75, got 44; check the number'],
        differences: [],
        payouts: { credits: 2, recognized: 1, pattern: String.raw`\bSERVICE DE PAIEMENT\b` },
        proposal: null,
        notChecked: [],
        next: `millime statements import ${file}`,
      },
    ]);
    expect(lines).toEqual([]);
    await run('list', '--json');
    expect(documents).toEqual([[]]);
  });

  test('import --dry-run prints where an unbalanced file differs and by how much, and succeeds', async () => {
    writeFileSync(file, windows1252(statementText({ closing: 1 })));
    await run('import', file, '--dry-run');
    expect(lines).toContain('verdict: unbalanced');
    expect(lines).toContain('  opening 1 000,000 DT, closing 0,001 DT');
    expect(lines).toContain('  credits 1 330,500 DT, debits 302,380 DT');
    expect(lines.join('\n')).toContain(
      'the closing balance should be 2 028,120 DT and the bank says 0,001 DT: a difference of 2 028,119 DT',
    );
  });

  test('import --dry-run prints both readings, the profile with its gap and the command', async () => {
    writeFileSync(file, 'Date;Libellé;Montant\n13/04/2026;a;1,234\n');
    const code = await run('import', file, '--dry-run', '--currency', 'TND');
    expect(code).toBe(2);
    expect(lines.join('\n')).toContain('"decimalSign": "<decimalSign>"');
    expect(lines).toContain('  to fill in: decimalSign, with --decimal-sign');
    expect(lines).toContain(
      '  --decimal-sign: expected the decimal sign, because "1,234" (line 2, column "Montant") is 1,234 DT or ' +
        '1 234,000 DT; give --decimal-sign , or --decimal-sign .',
    );
    expect(lines.at(-1)).toBe(
      `nothing was stored (dry run); run "millime statements import ${file} --currency TND --decimal-sign <sign> ` +
        '--unmarked <side> --profile proposed --account <account>"',
    );
    const given = ['--currency', 'TND', '--decimal-sign', ',', '--unmarked', 'credit'];
    await run('import', file, '--dry-run', ...given, '--profile', 'proposed', '--account', 'A1');
    expect(lines.at(-1)).toMatch(/^Would import the file/);
    expect(lines.at(-1)).toContain('--decimal-sign , --unmarked credit');
  });

  test('import asks for the unit and for columns that nothing reads, and takes the answers before the file', async () => {
    const head = "Date;Libellé;Débit;Crédit;Frais;Frais d'agence";
    writeFileSync(file, `${head}\n13/04/2026;a;;1 200 500;500;10\n15/04/2026;b;500 000;;250;20\n`);
    const given = ['--currency', 'TND', '--profile', 'proposed', '--account', 'A1'];
    await run('import', file, '--dry-run', ...given);
    expect(lines).toContain(
      '  --set-aside: expected the meaning of column "Frais", because "500" (line 2) looks like an amount and is not ' +
        'read; give --set-aside Frais if it changes no amount, side, state, currency or account; otherwise write a ' +
        'profile that reads it',
    );
    expect(lines.at(-1)).toContain('--unit <unit> --set-aside <column> --set-aside <column>"');
    const answers = ['--unit', 'millimes', '--set-aside', 'Frais', '--set-aside', "Frais d'agence"];
    await run('import', ...answers, file, '--dry-run', ...given);
    // They come before what is counted and added up.
    expect(lines.slice(1, 5)).toEqual([
      'account A1, TND, 2 lines',
      '  amounts in millimes',
      "  columns not read: Frais, Frais d'agence",
      expect.stringContaining('opening') as unknown,
    ]);
    expect(lines).toContain('  credits 1 200,500 DT, debits 500,000 DT');
    expect(lines.at(-1)).toContain(String.raw`--unit millimes --set-aside Frais --set-aside 'Frais d'\''agence'`);
    await run('import', ...answers, file, '--dry-run', '--json', ...given);
    expect(documents).toMatchObject([{ unit: 'millimes', setAside: ['Frais', "Frais d'agence"] }]);
  });

  test('import --dry-run refuses an unreadable file', async () => {
    writeFileSync(file, '');
    await expect(run('import', file, '--dry-run')).rejects.toMatchObject({ code: 'bad_input' });
    await expect(run('import', join(folder, 'none'))).rejects.toMatchObject({ code: 'bad_input' });
  });

  test('import prints amounts and dates again, and list and show find the statement', async () => {
    await run('import', file);
    expect(lines.join('\n')).toContain('    2026-04-02  1 250,500 DT  VIR RECU SERVICE DE PAIEMENT SA');
    expect(lines).toContain('the payout pattern recognizes 1 of 2 credits');
    await run('import', file);
    expect(lines.at(-1)).toMatch(/: already imported as .*; nothing was changed$/);
    await run('import', file, '--account', '08006012345678901231');
    expect(lines.at(-1)).toMatch(/^the file is stored under account 11222333333333333344, not 08006012345678901231; /);
    await run('list', '--json');
    expect(documents).toMatchObject([
      [
        {
          currency: 'TND',
          verdict: 'ok',
          accepted: null,
          closing: '2028.120',
          file: { name: 'bank.csv', importedBy: 'cli' },
        },
      ],
    ]);
    await run('list');
    const [id = ''] = (lines[0] ?? '').split(' ');
    await run('show', id, '--json');
    expect(documents).toMatchObject([
      { id, lines: [{ amount: '1250.500', amountMillimes: 1_250_500, known: false }, {}, {}, {}, {}] },
    ]);
    await run('show', id);
    expect(lines.join('\n')).toContain('CHÈQUE; N° 7');
    await expect(run('show', 'UNKNOWN')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('import warns of a stored pattern that recognizes no credit, and mark-payouts corrects the stored credits', async () => {
    writeFileSync(file, windows1252(statementText().replace('SERVICE DE PAIEMENT', 'PASSERELLE')));
    await run('import', file, '--dry-run', '--json');
    const warning = expect.stringContaining(
      'the payout pattern recognizes 0 of 2 credits; if the file has payouts, correct',
    );
    expect(documents).toMatchObject([{ outcome: 'imported', warnings: [warning], payouts: { recognized: 0 } }]);
    await run('import', file);
    expect(lines).toContainEqual(warning);
    await run('list');
    const [id = ''] = (lines[0] ?? '').split(' ');
    const options = ['--payout-pattern', 'passerelle', '--reason', 'the contract names it'];
    await run('mark-payouts', id, ...options, '--dry-run');
    expect(lines[0]).toBe('the pattern recognizes 1 of 2 credits');
    expect(lines[1]).toMatch(/^0\w{25} {2}2026-04-02 {2}1 250,500 DT {2}VIR RECU PASSERELLE SA$/);
    expect(lines[2]).toBe('Would mark 1 credit as payouts (dry run)');
    await run('mark-payouts', '--account', '11222333333333333344', '--through', '2026-04-30', ...options, '--json');
    expect(documents).toMatchObject([
      { outcome: 'marked', credits: 2, recognizedCredits: 1, lines: [{ amountMillimes: 1_250_500 }] },
    ]);
    await run('mark-payouts', id, ...options);
    expect(lines.at(-1)).toBe('all of them are marked as payouts; nothing was changed');
    await run('unmark-payouts', id, ...options);
    expect(lines.at(-1)).toBe('marked 1 credit as no payouts; run "millime reconcile"');
    await expect(run('mark-payouts', ...options)).rejects.toMatchObject({ code: 'bad_input' });
    await expect(run('mark-payouts', id, '--account', 'X', ...options)).rejects.toMatchObject({ code: 'bad_input' });
  });

  test('import stores an unbalanced statement, and accept posts it once', async () => {
    writeFileSync(file, windows1252(statementText({ closing: 1 })));
    await run('import', file, '--json');
    expect(documents).toMatchObject([{ outcome: 'imported', statements: [{ verdict: 'unbalanced', accepted: null }] }]);
    await run('list', '--waiting');
    const [id = ''] = (lines[0] ?? '').split(' ');
    await run('show', id);
    expect(lines.join('\n')).toContain(
      `not posted or reconciled; run "millime statements accept ${id} --reason ..." or "millime`,
    );
    await run('accept', id, '--reason', 'seen on paper', '--dry-run');
    const money = '5 lines: 1 330,500 DT in, 302,380 DT out; balance afterwards 2 028,120 DT';
    expect(lines[0]).toBe('Would accept the statement (dry run)');
    expect(lines.at(-1)).toBe(`Would post ${money}`);
    await run('accept', id, '--reason', 'seen on paper');
    expect(lines[0]).toBe('accepted the statement');
    expect(lines.slice(-2)).toEqual([`posted ${money}`, 'run "millime reconcile --through 2026-04-06"']);
    expect(lines.join('\n')).toContain('by cli: seen on paper');
    await run('accept', id, '--reason', 'again', '--json');
    expect(documents).toMatchObject([
      { outcome: 'already_accepted', id, accepted: { by: 'cli', reason: 'seen on paper' }, warnings: [] },
    ]);
    await run('list', '--waiting');
    expect(lines).toEqual([]);
  });

  test('accept states why it posts nothing, and that the balances differ', async () => {
    await run('import', file);
    writeFileSync(file, windows1252(statementText({ closing: 1 })));
    await run('import', file);
    await run('list', '--waiting');
    const [id = ''] = (lines[0] ?? '').split(' ');
    await run('accept', id, '--reason', 'seen on paper', '--dry-run');
    expect(lines.slice(-2)).toEqual([
      'balances differ: the statement closes with 0,001 DT, the ledger has 2 028,120 DT through 2026-04-06: ' +
        'a difference of 2 028,119 DT',
      'Would post 0 lines: the ledger has all lines of the statement; balance afterwards 2 028,120 DT',
    ]);
  });

  test('import ends with the statement of which nothing was posted, why, and the commands', async () => {
    writeFileSync(file, windows1252(statementText({ closing: 1 })));
    await run('import', file);
    expect(lines.at(-1)).toMatch(
      /^nothing of statement (\w+) was posted: unbalanced by 2 028,119 DT; run "millime statements accept \1 --reason \.\.\." or "millime statements exclude \1 --reason \.\.\."$/,
    );
    expect(lines.join('\n')).not.toContain('millime reconcile');
  });

  test('import prints the gap before a statement, and refuses a statement that is stored', async () => {
    await run('import', file);
    writeFileSync(file, statementBytes({ opening: 2_029_120, lines: [['04/05/2026', 'X', 5_000]] }));
    await run('import', file);
    expect(lines.at(-1)).toBe('run "millime reconcile --through 2026-05-04"');
    expect(lines.at(-2)).toMatch(/^gap: a statement is missing in between: .* a difference of 1,000 DT$/);
    writeFileSync(file, windows1252(statementText().replaceAll('\r\n', '\n')));
    await expect(run('import', file)).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('all its statements were imported before, in another file; nothing was stored'),
    });
  });

  test('list and show print CSV that contains no formula', async () => {
    writeFileSync(file, statementBytes({ lines: [['02/04/2026', '=1+1', -1_190]] }));
    await run('import', file);
    await run('list', '--csv');
    expect(lines[0]).toMatch(/^id,account,currency,/);
    const [id = ''] = (lines[1] ?? '').split(',');
    await run('show', id, '--csv');
    expect(lines[0]).toMatch(/^line_id,position,booking_date,/);
    expect(lines[1]).toContain(',-1.190,TND,');
    expect(lines[1]).not.toMatch(/,"?=1/);
    await expect(run('show', id, '--csv', '--json')).rejects.toMatchObject({ code: 'bad_input' });
  });

  test.each(['verify', 'reread'])('%s finds the stored statement in the original bytes', async (verify) => {
    await run('import', file);
    await run('list');
    const [id = ''] = (lines[0] ?? '').split(' ');
    await run(verify, id, '--json');
    expect(documents).toMatchObject([{ verdict: 'ok', differences: [], statements: [{ closing: '2028.120' }] }]);
    await run(verify, id);
    expect(lines.at(-1)).toMatch(/^verified: read 1 statement, sha256 /);
  });

  test('profiles lists the profiles of the installation', async () => {
    await run('profiles', '--json');
    expect(documents).toMatchObject([[{ name: 'releve-fr-tn', payoutPattern: '\\bSERVICE DE PAIEMENT\\b' }]]);
  });
});
