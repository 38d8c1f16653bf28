// Goal: a dry run says why an import would refuse a file that can be read and proves itself, and answers scripts as before.
// Method: `statements import --dry-run` on rooms without a database, with a clock long after the day of the tests.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { registerStatementCommands } from '../../../src/cli/statements';
import { businessCalendar } from '../../../src/kernel';
import { importRefusal, scanBankFile } from '../../../src/statements/testing';
import { camt053, type GivenEntry } from '../../support/bank-messages';
import { fixedClock } from '../../support/fakes';
import { runCommand } from './support/run-command';

const folder = mkdtempSync(join(tmpdir(), 'statements-'));
const path = join(folder, 'bank.xml');
afterAll(() => rmSync(folder, { recursive: true }));

const TODAY = '2060-06-10';
const deps = { clock: fixedClock(`${TODAY}T12:00:00+01:00`), calendar: businessCalendar('Africa/Tunis') };
const WILL_REFUSE = 'Would refuse the import:';

function dryRun(entry: GivenEntry, ...args: string[]): ReturnType<typeof runCommand> {
  const balances = [
    { type: 'OPBD', amount: 1_000_000, day: TODAY },
    { type: 'CLBD', amount: 1_000_000 + entry.amount, day: TODAY },
  ];
  writeFileSync(path, camt053([{ account: '08003000000000000301', balances, entries: [entry] }]));
  const rooms: Parameters<typeof runCommand>[1] = {
    statements: {
      read: (file, options) => scanBankFile(file, options, []),
      importRefusal: (name, scanned, options) => importRefusal(deps, { name, scanned, options }),
    },
  };
  return runCommand(registerStatementCommands, rooms, ['statements', 'import', path, '--dry-run', ...args]);
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
    { ...GOOD, day: '2060-06-11' },
    `expected booking dates through today, ${TODAY}, got 2060-06-11`,
  ],
];

test.each(REFUSED)('a dry run says that an import would refuse %s', async (_name, entry, reason) => {
  const { lines, exitCode } = await dryRun(entry);
  const at = lines.indexOf(WILL_REFUSE);
  expect(at).toBeGreaterThan(lines.indexOf('verdict: ok'));
  expect(lines.slice(at).join('\n')).toContain(reason);
  expect(lines).toContain('verdict: ok');
  expect(lines.at(-1)).toBe('nothing was stored (dry run)');
  expect(exitCode).toBe(0);
});

test.each(REFUSED)('a dry run gives scripts the verdict and the figures of %s', async (_name, entry) => {
  const { lines, json, exitCode } = await dryRun(entry, '--json');
  expect(json).toMatchObject({ verdict: 'ok', statements: [{ opening: '1000.000', closing: '1250.000', entries: 1 }] });
  expect(lines).toEqual([]);
  expect(exitCode).toBe(0);
});

test('a dry run says nothing of the kind about a file that an import takes', async () => {
  const { lines } = await dryRun(GOOD);
  expect(lines).toContain('verdict: ok');
  expect(lines).not.toContain(WILL_REFUSE);
});
