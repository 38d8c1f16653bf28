// Goal: a bank that states no opening balance and gives each movement a new reference in each download does not count
// money twice, and none is lost: known lines are known by their content, and a day in doubt is left to a person.
// Method: OFX downloads of one account, imported and accepted on both databases; then downloads by chance of an account
// whose true lines are known.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { OPERATOR } from '../../../src/identity';
import { isAppError } from '../../../src/kernel';
import { type AcceptOutcome, bankFileOfBytes } from '../../../src/statements';
import { describeOnEachDatabase } from '../../support/db';
import { FAULT_SEED, sized } from '../../support/faults';
import { type Random, randomFrom } from '../../support/random';
import { type TheBooks, theBooks } from './set-of-lines/the-books';

const ACCOUNT = '08006013011';
const REASON = 'compared with the web pages of the bank';

/** A line: its day of March, its amount in millimes and its text. */
type Given = readonly [day: number, amount: number, text?: string];

let downloads = 0;

/** A download, in which each line has a reference of its own. */
function ofx(lines: readonly Given[], closing?: number, account = ACCOUNT): Buffer {
  downloads += 1;
  const list = lines.map(
    ([day, amount, text = 'CLIENT'], index) =>
      `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>202603${String(day).padStart(2, '0')}<TRNAMT>${(amount / 1000).toFixed(3)}` +
      `<FITID>${downloads}-${index}<MEMO>${text}</STMTTRN>`,
  );
  const balance = closing === undefined ? '' : `<LEDGERBAL><BALAMT>${(closing / 1000).toFixed(3)}</LEDGERBAL>`;
  return Buffer.from(
    `<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>TND<BANKACCTFROM><ACCTID>${account}</BANKACCTFROM>` +
      `<BANKTRANLIST>${list.join('\n')}</BANKTRANLIST>${balance}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
  );
}

const sumOf = (lines: readonly Given[]): number => lines.reduce((sum, [, amount]) => sum + amount, 0);

describeOnEachDatabase('downloads with new references', (harness) => {
  let books: TheBooks;

  beforeEach(() => {
    books = theBooks(harness);
  });
  afterEach(async () => expect(await books.broken()).toEqual([]));

  /** Checks and imports a file. Returns the id of its statement, and the number of its lines that were known. */
  async function take(bytes: Buffer): Promise<{ readonly id: string; readonly known: number }> {
    const check = await books.statements.check({ file: bankFileOfBytes('a.ofx', bytes), actor: OPERATOR });
    const outcome = await books.import(bytes);
    expect(check).toMatchObject({ outcome: outcome.kind, refusals: [] });
    const [listed, other] = outcome.statements;
    if (listed === undefined || other !== undefined) throw new Error('the file holds one statement');
    const { entries, creditsMinor, debitsMinor } = listed.statement;
    expect(check.statements[0]?.statement).toMatchObject({ entries, creditsMinor, debitsMinor, verdict: 'no-proof' });
    expect(listed.isWaiting).toBe(true);
    return { id: listed.statement.id, known: listed.knownEntries };
  }
  const accept = (id: string): Promise<AcceptOutcome> =>
    books.statements.accept({ id, reason: REASON, actor: OPERATOR });

  const FIRST: readonly Given[] = [
    [2, 100_000],
    [3, -20_000],
    [4, 50_000],
  ];
  const NEXT: readonly Given[] = [
    [5, 70_000],
    [6, -5_000],
  ];

  test('post only the new lines, in whatever order they are imported and accepted', async () => {
    const first = await take(ofx(FIRST));
    await accept(first.id);
    const second = await take(ofx([...FIRST, ...NEXT]));
    expect(second.known).toBe(3);
    expect(await accept(second.id)).toMatchObject({ posts: { lines: 2, credits: 70_000n, debits: 5_000n } });
    const third = await take(ofx([...FIRST, ...NEXT, [9, 1_000]]));
    expect(third.known).toBe(5);
    const earlier = await take(ofx(FIRST.slice(1)));
    expect(earlier.known).toBe(2);
    expect(await accept(earlier.id)).toMatchObject({ posts: { lines: 0 } });
    expect(await accept(third.id)).toMatchObject({ posts: { lines: 1 } });
    expect(await books.linesOf(ACCOUNT)).toHaveLength(6);
    expect(await books.bankBalance(ACCOUNT)).toBe(196_000);
  });

  test('are known from a download that still waits, and from none that was excluded', async () => {
    const first = await take(ofx(FIRST));
    const second = await take(ofx([...FIRST, ...NEXT]));
    expect(second.known).toBe(3);
    await accept(second.id);
    expect(await books.bankBalance(ACCOUNT)).toBe(195_000);
    expect(await accept(first.id)).toMatchObject({ posts: { lines: 0 } });

    const excluded = await take(ofx([[20, 7_000]]));
    await books.statements.leaveOut({ id: excluded.id, reason: REASON, actor: OPERATOR });
    expect((await take(ofx([[20, 7_000]], 1))).known).toBe(0);
  });

  test('count equal lines: a last day goes on with one more', async () => {
    const equal: readonly Given[] = [...FIRST, [4, 50_000]];
    await accept((await take(ofx(equal))).id);
    const next = await take(ofx([...equal, [4, 50_000], [5, 1_000]]));
    expect(next.known).toBe(4);
    expect(await accept(next.id)).toMatchObject({ posts: { lines: 2, credits: 51_000n } });
    expect(await books.bankBalance(ACCOUNT)).toBe(231_000);
  });

  test('have a late line of another amount, which a person accepts', async () => {
    await accept((await take(ofx(FIRST))).id);
    const late = await take(ofx([...FIRST, [3, 9_000, 'FRAIS RENDUS'], ...NEXT]));
    expect(late.known).toBe(3);
    expect(await accept(late.id)).toMatchObject({ posts: { lines: 3 } });
    expect(await books.bankBalance(ACCOUNT)).toBe(204_000);
  });

  const EQUAL: readonly Given[] = [...FIRST, [4, 50_000], [8, 1_000]];

  test.each<[string, readonly Given[], readonly Given[], number]>([
    ['another text', FIRST, [[2, 100_000], [3, -20_000, 'AUTRE'], [4, 50_000], ...NEXT], 0],
    ['one more equal line', FIRST, [[2, 100_000], [3, -20_000], [3, -20_000], [4, 50_000], ...NEXT], 2],
    ['one equal line fewer', EQUAL, [[2, 100_000], [3, -20_000], [4, 50_000], ...NEXT], 0],
    ['a line more and a line fewer', EQUAL, [...FIRST, [4, 3_000]], 0],
    [
      'no line where one is stored',
      EQUAL,
      [
        [2, 100_000],
        [4, 50_000],
        [4, 50_000],
        [5, -20_000],
      ],
      0,
    ],
    ['lines of both, which only meet on it', FIRST, [[4, 50_000], ...NEXT], 0],
    ['lines of both, which meet on it but for a late one', FIRST, [[3, 6_000], [4, 50_000], ...NEXT], 0],
  ])('are left to a person if a day has %s', async (_what, stored, lines, known) => {
    await accept((await take(ofx(stored))).id);
    const doubtful = await take(ofx(lines));
    expect(doubtful.known).toBe(known);
    await expect(accept(doubtful.id)).rejects.toMatchObject({ problem: { code: 'statement_repeats' } });
    expect(await books.bankBalance(ACCOUNT)).toBe(sumOf(stored));
  });

  test.each([
    ['are the same lines', 1_195_000, 1],
    ['are other lines', 1_245_000, 0],
    ['show neither', 1_000_000, 0],
  ])('that meet on one day %s by their closing balances', async (_name, closing, known) => {
    await accept((await take(ofx(FIRST, 1_130_000))).id);
    expect((await take(ofx([[4, 50_000], ...NEXT], closing))).known).toBe(known);
  });

  test('by chance never post a movement twice, and lose none that was accepted', async () => {
    const lives = sized({ short: 12, full: 100 });
    let doubtful = 0;
    for (let life = 0; life < lives; life += 1) {
      const account = `0800000${String(life).padStart(4, '0')}`;
      const { accepted, refused } = await playLife(randomFrom(FAULT_SEED, life), account);
      const truth = accepted.map(({ given: [day, amount, text] }) =>
        [`2026-03-${String(day).padStart(2, '0')}`, amount, text].join('|'),
      );
      const posted = (await books.linesOf(account)).map((line) => line.replace(/\|[^|]*$/, ''));
      expect({ life, posted }).toEqual({ life, posted: truth.sort() });
      doubtful += refused;
    }
    expect(doubtful).toBeGreaterThan(0);
  });

  /** Takes downloads of an account, whole or only of new lines. Returns the true lines of those that were accepted. */
  async function playLife(
    random: Random,
    account: string,
  ): Promise<{ accepted: readonly TrueLine[]; refused: number }> {
    const lines = trueLines(random);
    const states = random.onceIn(2);
    const accepted = new Set<TrueLine>();
    let refused = 0;
    for (let last = 0; last < lines.length;) {
      const now = Math.min(lines.length, last + 1 + random.below(6));
      const [from, through] = random.onceIn(4) ? [1, 1 + random.below(8)] : [1 + random.below(4), 31];
      const chosen = random.onceIn(3)
        ? lines.slice(last, now)
        : lines.slice(0, now).filter(({ given: [day] }) => day >= from && day <= through);
      last = now;
      if (chosen.length === 0) continue;
      const given = chosen.map((line) => line.given).sort(([a], [b]) => a - b);
      const closing = states ? sumOf(lines.slice(0, now).map((line) => line.given)) : undefined;
      const { id } = await take(ofx(given, closing, account));
      try {
        await accept(id);
        for (const line of chosen) accepted.add(line);
      } catch (error) {
        if (!isAppError(error, 'conflict')) throw error;
        refused += 1;
        if (random.onceIn(2)) await books.statements.leaveOut({ id, reason: REASON, actor: OPERATOR });
      }
    }
    return { accepted: [...accepted], refused };
  }
});

interface TrueLine {
  readonly given: Given;
}

/** Lines in the order in which the bank booked them, many of them equal, and some for an earlier day. */
function trueLines(random: Random): TrueLine[] {
  const lines: TrueLine[] = [];
  for (let day = 1; day <= 9; day += 1) {
    for (let left = random.below(4); left > 0; left -= 1) {
      const booked = random.onceIn(8) ? Math.max(1, day - random.below(4)) : day;
      lines.push({ given: [booked, random.oneOf([10_000, 10_000, 20_000, -10_000]), random.oneOf(['A', 'A', 'B'])] });
    }
  }
  return lines;
}
