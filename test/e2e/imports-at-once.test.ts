// Goal: several concurrent imports end like sequential ones, and an import that lost its lease changes nothing when it
// continues.
// Method: processes of the built program on one database, two and four concurrently; and one that stops itself past its
// lease while another imports.
import { beforeEach, expect, test } from '@jest/globals';
import { aCamtStatement, type CamtStatement } from '../support/camt-statement';
import { describeOnOneDatabase } from '../support/db';
import { Installation } from './support/installation';
import { booksOf, ImportProcess } from './support/statement-import';
import { changeRows, countRows, selectRows } from './support/tables';

const LIMIT_MS = 120_000;
const FIRST = aCamtStatement({ days: 15 });
/** Shares five days with the first. */
const SECOND = aCamtStatement({ fromDay: 10, days: 15 });
const BOTH_LINES = 2_500;
const OTHER = aCamtStatement({ account: '99', days: 5 });

describeOnOneDatabase('concurrent imports', (harness) => {
  let installation: Installation;
  beforeEach(() => {
    installation = new Installation(harness.url);
  });

  function startAll(...files: readonly CamtStatement[]): ImportProcess[] {
    return files.map(({ bytes }, index) => new ImportProcess(installation, installation.file(`${index}.xml`, bytes)));
  }

  async function expectBooks(expected: Readonly<Record<string, { lines: number; closing: number }>>): Promise<void> {
    const found: Record<string, { lines: number; closing: number }> = {};
    for (const account of Object.keys(expected)) {
      const bank = `bank:${account}`;
      const [row] = await selectRows(
        harness.url,
        `select sum(case when debit_account = '${bank}' then amount_millimes else -amount_millimes end) as total
         from postings where debit_account = '${bank}' or credit_account = '${bank}'`,
      );
      const lines = await countRows(harness.url, 'bank_statement_lines', `account = '${account}'`);
      found[account] = { lines, closing: Number(row?.['total']) };
    }
    expect(found).toEqual(expected);
    expect(await countRows(harness.url, 'statement_loads', "state <> 'posted'")).toBe(0);
    expect(await countRows(harness.url, 'recon_breaks')).toBe(0);
    expect(await installation.brokenInvariants()).toEqual([]);
  }

  /** Only what the person who waits is told, and how many points there were. */
  function expectQuiet(imports: readonly ImportProcess[]): void {
    for (const { stderr } of imports) {
      expect(stderr).toMatch(/^(another import is running \([^\n]+\); waiting for it to end\n)?points: \d+\n$/);
    }
  }

  test(
    'of the same file import it once, and the others report it as imported',
    async () => {
      const imports = startAll(FIRST, FIRST, FIRST, FIRST);
      const outcomes = await Promise.all(imports.map((each) => each.outcome()));
      expect(outcomes.sort()).toEqual(['already_imported', 'already_imported', 'already_imported', 'imported']);
      expectQuiet(imports);
      await expectBooks({ [FIRST.account]: { lines: FIRST.lines, closing: FIRST.closing } });
    },
    LIMIT_MS,
  );

  test(
    'of two overlapping files share the lines of their common days',
    async () => {
      const imports = startAll(FIRST, SECOND);
      expect(await Promise.all(imports.map((each) => each.outcome()))).toEqual(['imported', 'imported']);
      expectQuiet(imports);
      await expectBooks({ [FIRST.account]: { lines: BOTH_LINES, closing: SECOND.closing } });
    },
    LIMIT_MS,
  );

  test(
    'of two accounts, with overlapping and repeated files, are all complete',
    async () => {
      const imports = startAll(SECOND, OTHER, FIRST, OTHER);
      const outcomes = await Promise.all(imports.map((each) => each.outcome()));
      expect(outcomes.sort()).toEqual(['already_imported', 'imported', 'imported', 'imported']);
      expectQuiet(imports);
      await expectBooks({
        [FIRST.account]: { lines: BOTH_LINES, closing: SECOND.closing },
        [OTHER.account]: { lines: OTHER.lines, closing: OTHER.closing },
      });
    },
    LIMIT_MS,
  );

  test(
    'end with one result if the other process sleeps past its lease, and the sleeper reports it',
    async () => {
      // After the first batch is stored: the slot, the account names, the duplicates, the statements and the batch, three points each.
      const sleeper = new ImportProcess(installation, installation.file('sleeper.xml', FIRST.bytes), {
        point: 15,
        signal: 'SIGSTOP',
      });
      await sleeper.stopped();
      expect(await countRows(harness.url, 'bank_statement_lines')).toBeGreaterThan(0);
      await changeRows(harness.url, 'update statement_loads set lease_until = 1');
      const [other] = startAll(SECOND);
      expect(await other?.outcome()).toBe('imported');
      const before = await booksOf(harness.url);

      sleeper.goOn();
      expect(await sleeper.ended).toEqual({ code: 1, signal: null });
      expect(sleeper.stderr).toMatch(
        /^millime: the import lost its lease after .* without a write; nothing was imported; import the file again$/m,
      );
      expect(sleeper.stdout).toBe('');
      expect(await booksOf(harness.url)).toEqual(before);
      await expectBooks({ [SECOND.account]: { lines: SECOND.lines, closing: SECOND.closing } });

      const [again] = startAll(FIRST);
      expect(await again?.outcome()).toBe('imported');
      await expectBooks({ [FIRST.account]: { lines: BOTH_LINES, closing: SECOND.closing } });
    },
    LIMIT_MS,
  );
});
