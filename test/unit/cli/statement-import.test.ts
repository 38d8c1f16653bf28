import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { registerStatementCommands } from '../../../src/cli/statements';
import type { Database } from '../../../src/db';
import { businessCalendar, millimes } from '../../../src/kernel';
import type { AccountDecided } from '../../../src/statements';
import { checkImport } from '../../../src/statements/testing';
import { SHIPPED_PROFILES_FILE, statementBytes } from '../../fixtures/statements/statement-bytes';
import { camt053, type GivenEntry } from '../../support/bank-messages';
import { fixedClock } from '../../support/fakes';
import { runCommand } from './support/run-command';

const folder = mkdtempSync(join(tmpdir(), 'statements-'));
const path = join(folder, 'bank.xml');
afterAll(() => rmSync(folder, { recursive: true }));

const TODAY = '2060-06-10';
const noDatabase = new Proxy({} as Database, {
  get: () => {
    throw new Error('a dry run without a database read it');
  },
});
const deps = {
  database: noDatabase,
  clock: fixedClock(`${TODAY}T12:00:00+01:00`),
  calendar: businessCalendar('Africa/Tunis'),
};
const WILL_REFUSE = 'Would refuse the import:';

function camtOf(entry: GivenEntry): Buffer {
  const balances = [
    { type: 'OPBD', amount: 1_000_000, day: TODAY },
    { type: 'CLBD', amount: 1_000_000 + entry.amount, day: TODAY },
  ];
  return camt053([{ account: '08003000000000000301', balances, entries: [entry] }]);
}

function dryRun(entry: GivenEntry, ...args: string[]): ReturnType<typeof runCommand> {
  writeFileSync(path, camtOf(entry));
  return dryRunOf(path, ...args);
}

function dryRunOf(file: string, ...args: string[]): ReturnType<typeof runCommand> {
  const rooms: Parameters<typeof runCommand>[1] = {
    config: { database: { kind: 'sqlite', file: join(folder, 'none.sqlite3') } },
    statements: {
      check: (request) => checkImport({ ...deps, profiles: () => [], profilesFile: SHIPPED_PROFILES_FILE }, request),
    },
  };
  return runCommand(registerStatementCommands, rooms, ['statements', 'import', file, '--dry-run', ...args]);
}

const GOOD: GivenEntry = { day: TODAY, amount: 250_000, text: 'VERSEMENT' };
const REFUSED: readonly (readonly [string, GivenEntry, string])[] = [
  [
    'two currencies in one statement',
    { ...GOOD, currency: 'EUR' },
    'expected one currency in a statement, got TND, EUR',
  ],
  [
    'a booking date to come',
    { ...GOOD, day: '2060-06-16' },
    'expected booking dates through 2060-06-15, got 2060-06-16',
  ],
];

describe('statements import --dry-run', () => {
  test.each(REFUSED)('prints why an import would refuse %s', async (_name, entry, reason) => {
    const { lines, exitCode } = await dryRun(entry);
    const at = lines.indexOf(WILL_REFUSE);
    expect(at).toBeGreaterThan(lines.indexOf('verdict: ok'));
    expect(lines.slice(at).join('\n')).toContain(reason);
    expect(lines).toContain('verdict: ok');
    expect(lines.at(-1)).toBe('nothing was stored (dry run)');
    expect(exitCode).toBe(0);
  });

  test('names the option --profile, not its field, when no profile matches a CSV file', async () => {
    writeFileSync(path, statementBytes());
    const { lines, exitCode } = await dryRunOf(path);
    expect(lines.slice(lines.indexOf(WILL_REFUSE) + 1)).toEqual([
      expect.stringMatching(/^ {2}--profile: expected the name of a profile, because none matches .*bank\.xml; check /),
      `nothing was stored (dry run); run "millime statements import ${path} --profile proposed"`,
    ]);
    expect(exitCode).toBe(0);
  });

  test.each(REFUSED)('prints the verdict, the figures and the refusal as JSON for %s', async (_name, entry, reason) => {
    const { lines, json, exitCode } = await dryRun(entry, '--json');
    expect(json).toMatchObject({
      verdict: 'ok',
      statements: [{ opening: '1000.000', closing: '1250.000', entries: 1, verdict: 'ok' }],
      outcome: 'refused',
      wouldImport: false,
      refusals: [{ details: [expect.stringContaining(reason)], action: expect.any(String) }],
      next: null,
    });
    expect(json).toHaveProperty('notChecked.0', {
      check: 'stored_file',
      reason: 'no database exists at DATABASE_URL',
    });
    expect(lines).toEqual([]);
    expect(exitCode).toBe(0);
  });

  const csv = (first: string, second: string): string =>
    [
      'RIB;08003000000000000301',
      'Devise;TND',
      'Solde initial;;1000,500',
      'Date;Libellé;Montant',
      `${first};VIREMENT;1500,000`,
      `${second};VIREMENT;1500,000`,
      'Solde final;;4000,500',
      '',
    ].join('\n');
  const announced = [':20:1', ':25:08003000000000000301', ':28C:0', ':34F:TND0,', ':61:6006100616D10,9NMSCX', '-', ''];
  test.each([
    ['proven bookings of the next working day', camtOf({ ...GOOD, day: '2060-06-15' }), [], true],
    ['proven rows whose dates fit one form', csv('10/06/2060', '15/06/2060'), [], true],
    [
      'proven rows whose day and month may be exchanged',
      csv('10/06/2060', '11/06/2060'),
      ['--date-format', 'dd/mm/yyyy'],
      false,
    ],
    [
      'rows without proof',
      csv('10/06/2060', '15/06/2060').replace('4000,500', '4000,501'),
      ['--unmarked', 'credit'],
      false,
    ],
    ['announced movements', announced.join('\r\n'), [], true],
  ])('prints whether an import accepts a file with days to come: %s', async (_name, bytes, given, isPossible) => {
    writeFileSync(path, bytes);
    const profile = String(bytes).startsWith('RIB') ? ['--profile', 'proposed'] : [];
    const { json } = await dryRunOf(path, ...profile, ...given, '--json');
    expect(json).toMatchObject({ refusals: isPossible ? [] : [{ code: 'dates_impossible' }] });
  });

  test('prints no refusal for a file that an import accepts', async () => {
    const { lines } = await dryRun(GOOD);
    expect(lines).toContain('verdict: ok');
    expect(lines).not.toContain(WILL_REFUSE);
    expect(lines.at(-1)).toBe(`Would import the file (dry run); run "millime statements import ${path}"`);
  });
});

describe('statements accounts join', () => {
  const repeated = { lines: 2, credits: millimes(1_250_500), debits: millimes(1_190) };
  const joined: AccountDecided = { kind: 'joined', name: 'A', account: 'B', warnings: [], repeated };
  const run = (...options: string[]): ReturnType<typeof runCommand> =>
    runCommand(registerStatementCommands, { statements: { joinAccounts: async () => joined } }, [
      ...['statements', 'accounts', 'join', 'A', '--into', 'B', '--reason', 'why', ...options],
    ]);

  test('prints what it reversed of movements stored under both names', async () => {
    expect((await run()).lines).toEqual([
      'joined A to account B',
      '2 movements stored under both names: reversed 1 250,500 DT of credits and 1,190 DT of debits',
      'run "millime reconcile" to close the breaks of the reversed lines',
    ]);
    const { json, decides } = await run('--json');
    expect(json).toMatchObject({ repeated: { lines: 2, creditsMillimes: 1_250_500, debitsMillimes: 1_190 } });
    expect(decides).toBe(true);
  });

  test('prints in a dry run what it would reverse', async () => {
    expect((await run('--dry-run')).lines).toEqual([
      'Would join A to account B (dry run)',
      '2 movements stored under both names: would reverse 1 250,500 DT of credits and 1,190 DT of debits',
    ]);
  });
});
