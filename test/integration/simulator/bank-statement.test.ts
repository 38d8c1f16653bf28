// Goal: Millime imports the simulated bank's statement in each of its formats: the proof and the chain agree, and for
// the CSV the profile too.
// Method: a month of payouts with every deviation, read as a dry run does, then imported week by week on both
// databases.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { OPERATOR } from '../../../src/identity';
import { businessCalendar, businessDate, millimes, WorkingDays } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { linesInUse } from '../../../src/reconciliation';
import { createSeededRandom, decodePayoutPlan, type PayableItem } from '../../../src/simulator';
import {
  BANK_STATEMENT_FORMATS,
  type BankStatement,
  bankStatement,
  bankStatementFile,
  type BankStatementFormat,
  EMPTY_PAYOUT_BOOK,
  nextCutAfter,
  type PayoutBook,
  takeCut,
} from '../../../src/simulator/testing';
import { type BankFile, bankFileOfBytes, createStatements, type Statements } from '../../../src/statements';
import { loadProfiles, scanBankFile } from '../../../src/statements/testing';
import { SHIPPED_PROFILES_FILE } from '../../fixtures/statements/statement-bytes';
import { describeOnOneDatabase } from '../../support/db';
import { fixedClock } from '../../support/fakes';

const MS_PER_HOUR = 3_600_000;
const ITEMS = 300;
const CUTS = 20;
const OPENING = millimes(-1_234_567);
const PLAN = decodePayoutPlan({
  account: '11 222 3333333333333 44',
  deviations: {
    heldBackPpm: 100_000,
    splitPpm: 300_000,
    joinedPpm: 300_000,
    returnedPpm: 300_000,
    unrelatedCreditPpm: 500_000,
    unrelatedDebitPpm: 500_000,
  },
});

describeOnOneDatabase('the statement of the simulated bank', (harness) => {
  const clock = fixedClock('2026-05-04T09:00:00+01:00');
  const calendar = businessCalendar('Africa/Tunis');
  const bankDays = { calendar, workingDays: new WorkingDays([businessDate('2026-03-20')]) };
  let statements: Statements;
  let book: PayoutBook;

  beforeEach(() => {
    statements = createStatements({
      linesInUse,
      database: harness.database,
      clock,
      calendar,
      logger: silentLogger,
      profilesFile: SHIPPED_PROFILES_FILE,
    });
    book = aMonth();
  });

  function aMonth(): PayoutBook {
    const random = createSeededRandom(7);
    const first = calendar.startOf(businessDate('2026-03-02'));
    const items = Array.from({ length: ITEMS }, (_, index): PayableItem => {
      const availableAt = first + index * 2 * MS_PER_HOUR;
      const amountMillimes = millimes(random.int(1, 90_000_000));
      return { itemId: `service:${index}`, channel: 'agent', amountMillimes, succeededAt: availableAt, availableAt };
    });
    let month: PayoutBook = { ...EMPTY_PAYOUT_BOOK, open: items };
    let cutAt = first;
    for (let cut = 0; cut < CUTS; cut += 1) {
      cutAt = nextCutAfter(cutAt, PLAN, bankDays);
      month = takeCut(month, { plan: PLAN, cutAt, bankDays, random });
    }
    return month;
  }

  const statementOf = (from: string, through: string): BankStatement =>
    bankStatement({
      account: PLAN.account,
      accountOpeningMillimes: OPENING,
      lines: book.lines,
      from: businessDate(from),
      through: businessDate(through),
    });

  const fileOf = (statement: BankStatement, format: BankStatementFormat): BankFile =>
    bankFileOfBytes(`${statement.from}.${format}`, Buffer.from(bankStatementFile(statement, format).bytes));

  test("passes its proof as CSV with the shipped profile, and only the gateway's lines look like payouts", () => {
    const statement = statementOf('2026-03-01', '2026-04-30');
    const file = fileOf(statement, 'csv');
    const { reading } = scanBankFile(file, {}, loadProfiles(SHIPPED_PROFILES_FILE));
    expect(reading).toMatchObject({ format: 'csv', profile: 'releve-fr-tn', proposal: undefined });
    const reader = reading.createReader();
    const events = [...[...file.pieces()].flatMap((piece) => reader.push(piece)), ...reader.end()];
    const candidates = events.filter((event) => event.kind === 'line' && event.line.payoutCandidate === true);
    const credits = statement.lines.filter(
      ({ amountMillimes, cause }) => amountMillimes > 0 && cause.kind !== 'unrelated',
    );
    expect(candidates).toHaveLength(credits.length);
    expect(new Set(book.lines.map(({ cause }) => cause.kind)).size).toBe(4);
  });

  describe.each(BANK_STATEMENT_FORMATS)('as %s', (format) => {
    test('passes its proof in a dry run', () => {
      const statement = statementOf('2026-03-01', '2026-04-30');
      const scanned = scanBankFile(fileOf(statement, format), {}, loadProfiles(SHIPPED_PROFILES_FILE));
      expect(scanned.statements).toHaveLength(1);
      expect(scanned.statements[0]).toMatchObject({
        parsed: {
          currency: 'TND',
          opening: { amount: { units: BigInt(OPENING), scale: 3 } },
          closing: { amount: { units: BigInt(statement.closingMillimes), scale: 3 } },
        },
        proof: { verdict: 'ok' },
      });
    });

    test('is imported week by week, even for a week without a line', async () => {
      const weeks = [
        ['2026-03-02', '2026-03-08'],
        ['2026-03-09', '2026-03-15'],
        ['2026-03-16', '2026-03-22'],
        ['2026-03-23', '2026-04-19'],
        ['2026-04-20', '2026-04-26'],
      ] as const;
      for (const [from, through] of weeks) {
        const statement = statementOf(from, through);
        const outcome = await statements.import({ file: fileOf(statement, format), actor: OPERATOR });
        expect(outcome).toMatchObject({
          kind: 'imported',
          statements: [
            {
              statement: {
                account: '11222333333333333344',
                verdict: 'ok',
                closingMinor: statement.closingMillimes,
                entries: statement.lines.length,
              },
            },
          ],
          warnings: [],
        });
      }
      expect(statementOf('2026-04-20', '2026-04-26').lines).toEqual([]);
    });
  });
});
