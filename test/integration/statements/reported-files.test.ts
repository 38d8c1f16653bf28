// Goal: a bank file that an importer was reported for is read rightly or refused, and every way to import it agrees.
// Method: the reported files beside this repository, if present, on both databases: a dry run, the API, the console and
// the import of each one, on a Saturday. Two chains of files follow.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { businessCalendar, isAppError } from '../../../src/kernel';
import { bankAccount, openLedger } from '../../../src/ledger';
import { silentLogger } from '../../../src/logging';
import { linesInUse } from '../../../src/reconciliation';
import {
  bankFileOfBytes,
  createStatements,
  type ImportOutcome,
  type ListedStatement,
  minorUnitsText,
  type ReadOptions,
  type Statements,
} from '../../../src/statements';
import { type ApiClient, apiClient } from '../../api/v1/support/api-client';
import { describeConsole, person, type Visitor } from '../../console/support/visitor';
import { SHIPPED_PROFILES_FILE } from '../../fixtures/statements/statement-bytes';
import { TESTER } from '../../support/factories';
import { type Given, givenFor, reportedBytes, type ReportedFile, reportedFiles } from './reported-files';

const SATURDAY = '2026-11-28T09:00:00.000Z';
const calendar = businessCalendar('Africa/Tunis');
const PAYEES = /(?:012393|077777|055548)$/;

/** The sums of booked lines, as decimals of their currency. */
interface Figures {
  readonly account: string | null;
  readonly currency: string | null;
  readonly credits: number;
  readonly debits: number;
  readonly entries: number;
}

type Found = 'refused' | readonly Figures[];

interface Disagreement {
  readonly problem: string;
}

const figuresOf = (each: {
  readonly account: string | null;
  readonly currency: string | null;
  readonly credits: string;
  readonly debits: string;
  readonly entries: number;
}): Figures => ({
  ...{ account: each.account, currency: each.currency, entries: each.entries },
  ...{ credits: Number(each.credits), debits: Number(each.debits) },
});

function storedFigures({ statement }: ListedStatement): Figures {
  const { account, currency, entries, creditsMinor, debitsMinor } = statement;
  const text = (minor: number): string => minorUnitsText(minor, currency);
  return figuresOf({ account, currency, entries, credits: text(creditsMinor), debits: text(debitsMinor) });
}

/** Says why what was found is not what is wanted, or nothing. */
function faultOf({ want, account, currency, ...sums }: ReportedFile, found: Found): string {
  if (found === 'refused') return want === 'right' || want === 'other' ? 'refused' : '';
  if (want === 'refuse') return `read: ${JSON.stringify(found)}`;
  const total = (of: 'credits' | 'debits' | 'entries'): number => found.reduce((sum, each) => sum + each[of], 0);
  const wrong = (['credits', 'debits', 'entries'] as const)
    .filter((of) => sums[of] !== undefined && Number(sums[of]) !== total(of))
    .map((of) => `${of} ${total(of)}, not ${String(sums[of])}`);
  for (const each of found) {
    const own = each.account ?? '';
    if (account === '4202' ? !own.endsWith('4202') : account === 'not-a-payee' && PAYEES.test(own)) {
      wrong.push(`account ${own}`);
    }
    if (currency !== undefined && each.currency !== currency) wrong.push(`currency ${String(each.currency)}`);
  }
  return wrong.join('; ');
}

const files = reportedFiles();
const describeFiles: typeof describeConsole = (name, define) =>
  files.length === 0
    ? describe.skip(name, () => test('needs the reported files', () => undefined))
    : describeConsole(name, define);

describeFiles('a reported bank file', (current) => {
  let statements: Statements;
  beforeEach(() => {
    current.api.setClock(SATURDAY);
    ({ statements } = current.api.millime);
  });

  const requestOf = (path: string, given: object) => ({
    ...(given as ReadOptions),
    ...{ file: bankFileOfBytes(path, reportedBytes(path)), actor: TESTER },
  });
  const importOf = (path: string, given: object = {}, room = statements): Promise<ImportOutcome> =>
    room.import(requestOf(path, given));

  /** Imports a file after a dry run of it, which must agree. */
  async function imported(path: string, given: Given): Promise<Found> {
    const check = await statements.check({ ...requestOf(path, given), readsKnown: true });
    const outcome = await importOf(path, given).catch((error: unknown) => {
      if (!isAppError(error, 'bad_input', 'conflict')) throw error;
      return 'refused' as const;
    });
    expect({ import: outcome === 'refused' ? outcome : outcome.kind }).toEqual({ import: check.outcome });
    return outcome === 'refused' ? outcome : outcome.statements.map(storedFigures);
  }

  describe('with what it does not name', () => {
    /** What the API and the console show of each file, or how they disagree. One person reads all of them. */
    let shown: ReadonlyMap<string, Found | Disagreement> | undefined;
    beforeEach(async () => {
      shown ??= await showAll();
    });

    async function showAll(): Promise<ReadonlyMap<string, Found | Disagreement>> {
      const client = await apiClient(current.api);
      const visitor = await person(current.api, { name: 'karim', roles: ['finance', 'approver'] });
      const found = new Map<string, Found | Disagreement>();
      for (const { path } of files) {
        const answer = await show(path, givenFor(path), { client, visitor }).catch((error: unknown) => ({
          problem: String(error),
        }));
        found.set(path, answer);
      }
      return found;
    }

    async function show(
      path: string,
      given: Given,
      by: { client: ApiClient; visitor: Visitor },
    ): Promise<Found | Disagreement> {
      const bytes = reportedBytes(path);
      const pieces = Readable.from([bytes]);
      const { id } = await statements.uploads.receive({ name: 'bank', bytesMax: bytes.length, pieces, actor: TESTER });
      const { profile = '', ...others } = given;
      const query = new URLSearchParams({ by: profile, ...others }).toString();
      const page = await by.visitor.get(`/console/bank/uploads/${id}?${query}`);
      const answer = await by.client.call('checkBankReading', { params: { uploadId: id }, body: given });
      await statements.uploads.remove(id, TESTER);
      const { check } = answer.body;
      if (answer.status !== 200) return { problem: `the API answers ${answer.status}: ${JSON.stringify(answer.body)}` };
      const isRefused = check.outcome === 'refused';
      const says = isRefused ? 'The file cannot be imported yet.' : 'The file can be imported.';
      if (!page.text.includes(says)) return { problem: `the console shows, not "${says}": ${page.text}` };
      return isRefused ? 'refused' : check.statements.map(figuresOf);
    }

    test.each(files.map((file) => [file.path, file] as const))('%s gives what it says', async (path, file) => {
      const found = await imported(path, givenFor(path));
      expect(faultOf(file, found)).toBe('');
      // A dry run shows the sums of booked lines, as the import stores them.
      expect(shown?.get(path)).toEqual(found);
      if (path === '54/csv_pending.csv') expect(found).toMatchObject([{ credits: 1_200.5, entries: 1 }]);
      if (path === '54/pending.ofx') expect(found).toMatchObject([{ credits: 100 }]);
    });
  });

  test.each(files.filter(({ path }) => givenFor(path).account !== undefined).map((file) => [file.path, file] as const))(
    '%s is not read under an account of the other side if none is given',
    async (path, file) => {
      const { account: _account, ...given } = givenFor(path);
      const found = await imported(path, given);
      expect(found === 'refused' ? '' : faultOf(file, found)).toBe('');
    },
  );

  describe('after another one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'reported-'));
    const profilesFile = join(folder, 'profiles.json');
    afterAll(() => rmSync(folder, { recursive: true }));

    test.each([
      ['64/month2_sens.csv', {}],
      ['64/month2_sens.csv', { profile: 'banque' }],
      ['64/month3_devise.csv', {}],
      ['64/month3_devise.csv', { profile: 'banque' }],
    ])('of its bank, %s is not read by the saved profile as if it had the same shape (%j)', async (path, options) => {
      copyFileSync(SHIPPED_PROFILES_FILE, profilesFile);
      const { clock } = current.api.millime;
      const { database } = current.harness;
      const room = createStatements({ database, clock, linesInUse, profilesFile, calendar, logger: silentLogger });
      expect(await importOf('64/month1.csv', { saveProfile: 'banque' }, room)).toMatchObject({ kind: 'imported' });
      const check = await room.check(requestOf(path, options));
      if (check.outcome === 'refused') return;
      const [read] = check.statements.map(({ statement }) => [statement.currency, statement.debitsMinor]);
      expect(read).toEqual([path.includes('devise') ? 'EUR' : 'TND', path.includes('devise') ? 30_025 : 300_250]);
    });

    test('of OFX brings its new days only, although each download has other ids', async () => {
      const acceptWaiting = async ({ statements: brought }: ImportOutcome): Promise<string> => {
        const [listed] = brought;
        const id = listed?.statement.id ?? '';
        if (listed?.isWaiting === true) {
          await statements.accept({ id, reason: 'compared with the bank', actor: TESTER });
        }
        return id;
      };
      const first = await importOf('57/d1.ofx');
      await acceptWaiting(first);
      const account = bankAccount(first.statements[0]?.statement.account ?? '');
      const sum = (): Promise<bigint | number> =>
        current.harness.database.read((session) => openLedger(session).sumOf(account));
      const before = Number(await sum());
      const id = await acceptWaiting(await importOf('57/d2.ofx'));
      const { lines } = await statements.show(id);
      expect(lines.map(({ known }) => known)).toEqual([true, true, true, false, false]);
      expect(Number(await sum()) - before).toBe(65_000);
    });
  });
});
