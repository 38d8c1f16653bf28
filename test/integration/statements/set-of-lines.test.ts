// Goal: for any order, repeat, split or overlap of a bank's statements, each movement is stored once; a missing one is
// reported as long as it is missing.
// Method: accounts whose truth is known, written as CSV, MT940 and camt.053 and imported in random ways.
import { beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeOnEachDatabase } from '../../support/db';
import { FAULT_LENGTH, FAULT_SEED, sized } from '../../support/faults';
import { type Random, randomFrom } from '../../support/random';
import { ribOf } from '../../support/rib';
import {
  type AccountLife,
  balanceBefore,
  closingOf,
  cutAtDays,
  cutWithinDays,
  daysOf,
  lifeOf,
  shuffled,
  type Slice,
} from './set-of-lines/bank-life';
import { type TheBooks, theBooks, truthOf } from './set-of-lines/the-books';
import { fileOf, WRITTEN_FORMATS, type WrittenFormat } from './set-of-lines/write-statements';

const RUNS = sized({ short: 2, full: 6 }) * FAULT_LENGTH;

interface Case {
  readonly seed: number;
  readonly days: number;
  readonly format: WrittenFormat;
  readonly withinDays: boolean;
}

const aCase: fc.Arbitrary<Case> = fc.record({
  seed: fc.nat({ max: 1_000_000 }),
  days: fc.integer({ min: 1, max: 7 }),
  format: fc.constantFrom(...WRITTEN_FORMATS),
  withinDays: fc.boolean(),
});

describeOnEachDatabase('the set of stored lines', (harness) => {
  let accounts = 0;

  /** An account of its own for each case: so the cases need no empty database. */
  const newAccount = (): string => ribOf(`08003${String((accounts += 1)).padStart(13, '0')}`);

  async function holds(property: (books: TheBooks, given: Case, random: Random) => Promise<void>): Promise<void> {
    const books = theBooks(harness);
    await fc.assert(
      fc.asyncProperty(aCase, (given) => property(books, given, randomFrom(given.seed))),
      { numRuns: RUNS, seed: FAULT_SEED },
    );
    expect(await books.broken()).toEqual([]);
  }

  async function expectTruth(books: TheBooks, life: AccountLife): Promise<void> {
    expect(await books.linesOf(life.account)).toEqual(truthOf(life));
    expect(await books.bankBalance(life.account)).toBe(life.currency === 'TND' ? closingOf(life) : 0);
    expect(await books.openBreaks(life.account)).toEqual([]);
  }

  const livesOf = ({ seed, days }: Case): AccountLife[] => [
    lifeOf({ seed, days, account: newAccount() }),
    lifeOf({ seed: seed + 1, days, account: newAccount(), currency: seed % 2 === 0 ? 'EUR' : 'TND' }),
  ];

  function statementsOf(life: AccountLife, { format, withinDays }: Case, random: Random): Slice[] {
    const days = cutAtDays(life, random);
    const slices = withinDays ? days.flatMap((slice) => cutWithinDays(slice, random)) : days;
    // A CSV file without lines says nothing of its days.
    return format === 'csv' ? slices.filter(({ start, end }) => end > start) : slices;
  }

  /** One statement a file, or some to a file where the format has room, in any order. */
  function filesOf(slices: readonly Slice[], format: WrittenFormat, random: Random): Slice[][] {
    const files: Slice[][] = [];
    for (const slice of shuffled(slices, random)) {
      const last = files.at(-1);
      if (last !== undefined && format !== 'csv' && random.onceIn(3)) last.push(slice);
      else files.push([slice]);
    }
    return files;
  }

  test('is equal for any order of statements, one or several in a file', async () => {
    await holds(async (books, given, random) => {
      const lives = livesOf(given);
      const slices = lives.flatMap((life) => statementsOf(life, given, random));
      for (const file of filesOf(slices, given.format, random)) await books.import(fileOf(given.format, file));
      for (const life of lives) await expectTruth(books, life);
    });
  });

  test('is equal after repeated statements, as the same bytes or as other bytes', async () => {
    await holds(async (books, given, random) => {
      const [life] = livesOf(given);
      if (life === undefined) throw new Error('a case has a life');
      const files = filesOf(statementsOf(life, given, random), given.format, random);
      for (const file of files) {
        const bytes = fileOf(given.format, file);
        expect(await books.offer(bytes)).toBe('imported');
        expect(await books.offer(bytes, 'another-name.txt')).toBe('already_imported');
        if (random.onceIn(2)) {
          const remark = 'OTHER';
          expect(await books.offer(fileOf(given.format, file, { remark }))).toBe('duplicate');
        }
      }
      for (const file of files) expect(await books.offer(fileOf(given.format, file))).toBe('already_imported');
      await expectTruth(books, life);
    });
  });

  test('is equal for overlapping files, other periods, and several statements of a day', async () => {
    await holds(async (books, given, random) => {
      const [life] = livesOf(given);
      if (life === undefined) throw new Error('a case has a life');
      const slices = [
        ...statementsOf(life, given, random),
        ...statementsOf(life, { ...given, withinDays: false }, random),
        ...someDays(life, random),
        ...someDays(life, random),
      ].filter(({ start, end }) => end > start);
      for (const [index, file] of filesOf(slices, given.format, random).entries()) {
        await books.offer(fileOf(given.format, file, { remark: `FILE ${index}` }));
      }
      await expectTruth(books, life);
    });
  });

  test('has a gap while a statement is missing between others, and none later', async () => {
    await holds(async (books, given, random) => {
      const [life] = livesOf(given);
      if (life === undefined) throw new Error('a case has a life');
      const slices = statementsOf(life, given, random);
      // Movements that add up to nothing leave no trace in the balances around them.
      const inside = slices
        .slice(1, -1)
        .filter(({ start, end }) => balanceBefore(life, start) !== balanceBefore(life, end));
      if (inside.length === 0) return;
      const missing = random.oneOf(inside);
      for (const slice of shuffled(slices, random)) {
        if (slice !== missing) await books.import(fileOf(given.format, [slice]));
      }
      expect(await books.openBreaks(life.account)).not.toEqual([]);
      await books.import(fileOf(given.format, [missing]));
      await expectTruth(books, life);
    });
  });

  function someDays(life: AccountLife, random: Random): Slice[] {
    const first = random.below(life.days.length);
    const last = first + random.below(life.days.length - first);
    const [from, through] = [life.days[first], life.days[last]];
    return from === undefined || through === undefined ? [] : [daysOf(life, from, through)];
  }
});

const FORMAT_RUNS = sized({ short: 3, full: 8 }) * FAULT_LENGTH;
const referenceOf = (_line: unknown, index: number): string => `OTHER${index}`;

describeOnEachDatabase('the same days in another format', (harness) => {
  let accounts = 0;

  test('are refused as a duplicate or put on hold, and posted once', async () => {
    const books = theBooks(harness);
    const cases = fc.record({
      seed: fc.nat({ max: 1_000_000 }),
      days: fc.integer({ min: 1, max: 5 }),
      formats: fc.shuffledSubarray([...WRITTEN_FORMATS], { minLength: 2, maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ seed, days, formats }) => {
        const [first = 'csv', second = 'mt940'] = formats;
        const random = randomFrom(seed);
        const life = lifeOf({ seed, days, account: ribOf(`09004${String((accounts += 1)).padStart(13, '0')}`) });
        for (const slice of cutAtDays(life, random)) {
          if (slice.end > slice.start) await books.import(fileOf(first, [slice]));
        }
        const from = random.below(days);
        const [firstDay, lastDay] = [life.days[from], life.days.at(-1)];
        if (firstDay === undefined || lastDay === undefined) throw new Error('a life has days');
        const again = daysOf(life, firstDay, lastDay);
        const told = await books.offer(fileOf(second, [again], { referenceOf }));

        expect(await books.linesOf(life.account)).toEqual(truthOf(life));
        expect(await books.bankBalance(life.account)).toBe(closingOf(life));
        const kinds = (await books.openBreaks(life.account)).map(({ kind }) => kind);
        expect(kinds).toEqual(told === 'duplicate' ? [] : ['overlap']);
      }),
      { numRuns: FORMAT_RUNS, seed: FAULT_SEED },
    );
    expect(await books.broken()).toEqual([]);
  });
});

const ACCOUNT = '08003000000000000088';
const DAYS = ['2026-04-01', '2026-04-02', '2026-04-03'];

describeOnEachDatabase('the pages of a statement', (harness) => {
  let books: TheBooks;

  beforeEach(() => {
    books = theBooks(harness);
  });

  test.each([
    ['MT940', mt940Pages],
    ['camt.053', camtPages],
  ])('are joined to one proven statement for an %s in one file', async (_name, pages) => {
    const outcome = await books.import(pages([0, 1, 2]));
    expect(outcome).toMatchObject({
      statements: [{ statement: { verdict: 'ok', openingMinor: 0, closingMinor: 3_000, entries: 3 } }],
    });
    expect(await books.linesOf(ACCOUNT)).toHaveLength(3);
    expect(await books.openBreaks(ACCOUNT)).toEqual([]);
    expect(await books.broken()).toEqual([]);
  });

  test.each([
    ['MT940', mt940Pages],
    ['camt.053', camtPages],
  ])('have a gap for an %s until the middle page is imported', async (_name, pages) => {
    await books.import(pages([0, 2]));
    expect(await books.openBreaks(ACCOUNT)).toHaveLength(1);
    await books.import(pages([1]));
    expect(await books.openBreaks(ACCOUNT)).toEqual([]);
    expect(await books.linesOf(ACCOUNT)).toHaveLength(3);
    expect(await books.bankBalance(ACCOUNT)).toBe(3_000);
    expect(await books.broken()).toEqual([]);
  });
});

/** Each page holds one line of 1,000 on a day of its own. */
function mt940Pages(indexes: readonly number[]): Buffer {
  const pages = indexes.map((index) => {
    const day = (DAYS[index] ?? '').slice(2).replaceAll('-', '');
    return [
      ':20:S1',
      `:25:${ACCOUNT}`,
      `:28C:7/${index + 1}`,
      `:60${index === 0 ? 'F' : 'M'}:C${day}TND${index},000`,
      `:61:${day}${day.slice(2)}C1,000NTRFNONREF`,
      ':86:VIREMENT',
      `:62${index === 2 ? 'F' : 'M'}:C${day}TND${index + 1},000`,
      '-',
    ].join('\r\n');
  });
  return Buffer.from(`${pages.join('\r\n')}\r\n`);
}

function camtPages(indexes: readonly number[]): Buffer {
  const money = (dinars: number): string => `<Amt Ccy="TND">${dinars}.000</Amt><CdtDbtInd>CRDT</CdtDbtInd>`;
  const pages = indexes.map((index) => {
    const date = `<Dt>${DAYS[index] ?? ''}</Dt>`;
    const balance = (type: string, dinars: number): string =>
      `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${money(dinars)}<Dt>${date}</Dt></Bal>`;
    return (
      `<Stmt><Id>S1</Id><StmtPgntn><PgNb>${index + 1}</PgNb><LastPgInd>${index === 2}</LastPgInd></StmtPgntn>` +
      `<ElctrncSeqNb>7</ElctrncSeqNb><CreDtTm>2026-04-04T08:00:00</CreDtTm>` +
      `<Acct><Id><Othr><Id>${ACCOUNT}</Id></Othr></Id><Ccy>TND</Ccy></Acct>` +
      `${balance('OPBD', index)}${balance('CLBD', index + 1)}` +
      `<Ntry>${money(1)}<Sts>BOOK</Sts><BookgDt>${date}</BookgDt></Ntry></Stmt>`
    );
  });
  return Buffer.from(
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>` +
      `<GrpHdr><MsgId>M</MsgId><CreDtTm>2026-04-04T08:00:00</CreDtTm></GrpHdr>${pages.join('')}` +
      `</BkToCstmrStmt></Document>`,
  );
}
