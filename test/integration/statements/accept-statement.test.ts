// Goal: a statement that its balances do not prove becomes effective when a named person accepts it, and not before.
// Method: the room on both databases, with statements whose balances are missing or wrong.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { rowsOf } from '../../../src/db';
import { type Actor, OPERATOR } from '../../../src/identity';
import { businessDate } from '../../../src/kernel';
import { openStatements } from '../../../src/statements';
import { statementBytes, statementText, windows1252 } from '../../fixtures/statements/statement-bytes';
import { camt053, type GivenEntry, mt940 } from '../../support/bank-messages';
import { describeOnEachDatabase } from '../../support/db';
import { type TheBooks, theBooks } from './set-of-lines/the-books';

const ACCOUNT = '11222333333333333344';
const REASON = 'compared with the paper statement of the branch';
const NO_PROOF = windows1252(statementText().replace(/Solde final.*\r\n/, ''));
const UNBALANCED = windows1252(statementText({ closing: 5 }));

describeOnEachDatabase('acceptStatement', (harness) => {
  let books: TheBooks;

  beforeEach(() => {
    books = theBooks(harness);
  });

  const candidates = async (): Promise<number> => {
    const through = businessDate('2026-04-30');
    const found = await harness.database.read((session) => openStatements(session).payoutCandidates({ through }));
    return found.length;
  };
  const onlyId = async (bytes: Uint8Array): Promise<string> => {
    const outcome = await books.import(bytes);
    const id = outcome.kind === 'imported' ? outcome.statements[0]?.statement.id : undefined;
    if (id === undefined) throw new Error('the file holds a statement');
    return id;
  };

  test.each([
    ['no-proof', NO_PROOF],
    ['unbalanced', UNBALANCED],
  ])('posts the lines of a statement that is %s, which were not posted before', async (verdict, bytes) => {
    const id = await onlyId(bytes);
    expect((await books.statements.list({ waiting: true, limit: 100 })).rows).toMatchObject([
      { statement: { id, verdict } },
    ]);
    expect(await books.linesOf(ACCOUNT)).toEqual([]);
    expect(await books.bankBalance(ACCOUNT)).toBe(0);
    expect(await candidates()).toBe(0);

    const outcome = await books.statements.accept({ id, reason: REASON, actor: OPERATOR });
    expect(outcome).toMatchObject({ kind: 'accepted', listed: { acceptance: { acceptedBy: 'cli', reason: REASON } } });
    expect(await books.linesOf(ACCOUNT)).toHaveLength(5);
    expect(await candidates()).toBe(1);
    expect((await books.statements.list({ waiting: true, limit: 100 })).rows).toEqual([]);
    expect(await books.broken()).toEqual([]);
  });

  test('changes nothing if it is repeated', async () => {
    const id = await onlyId(NO_PROOF);
    await books.statements.accept({ id, reason: REASON, actor: OPERATOR });
    const balance = await books.bankBalance(ACCOUNT);
    const again = await books.statements.accept({ id, reason: 'another reason, given later', actor: OPERATOR });
    expect(again).toMatchObject({ kind: 'already_accepted', listed: { acceptance: { reason: REASON } } });
    expect(await books.bankBalance(ACCOUNT)).toBe(balance);
  });

  test('refuses a proven statement and a missing one', async () => {
    const id = await onlyId(statementBytes());
    const accept = (which: string): Promise<unknown> =>
      books.statements.accept({ id: which, reason: REASON, actor: OPERATOR });
    await expect(accept(id)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(
        'its balances prove it, and its lines are posted; run "millime statements list --waiting"',
      ),
    });
    await expect(accept('MISSING')).rejects.toMatchObject({
      code: 'not_found',
      message: 'statement not found: "MISSING"',
    });
  });

  test('refuses a key without the scope', async () => {
    const id = await onlyId(NO_PROOF);
    const actor: Actor = { kind: 'api_key', name: 'amal', keyId: 'K1', scopes: new Set(['statements:write']) };
    await expect(books.statements.accept({ id, reason: REASON, actor })).rejects.toMatchObject({ code: 'forbidden' });
    expect(await books.linesOf(ACCOUNT)).toEqual([]);
  });

  test.each([
    ['no-proof', NO_PROOF],
    ['unbalanced', UNBALANCED],
  ])('takes no statement that is %s and was excluded, which waits no longer', async (_verdict, bytes) => {
    const id = await onlyId(bytes);
    const command = { id, reason: REASON, actor: OPERATOR };
    await books.statements.leaveOut({ ...command, dryRun: true });
    expect((await books.statements.list({ waiting: true, limit: 100 })).rows).toMatchObject([
      { statement: { id }, exclusion: undefined },
    ]);
    const excluded = await books.statements.leaveOut(command);
    expect(excluded).toMatchObject({ isWaiting: false, exclusion: { excludedBy: 'cli', reason: REASON } });
    expect((await books.statements.list({ waiting: true, limit: 100 })).rows).toEqual([]);
    const refusal = { code: 'conflict', message: expect.stringContaining('it is already excluded, by cli') };
    await expect(books.statements.accept(command)).rejects.toMatchObject(refusal);
    await expect(books.statements.leaveOut(command)).rejects.toMatchObject(refusal);
    expect(await books.linesOf(ACCOUNT)).toEqual([]);
    expect(await books.broken()).toEqual([]);
  });

  test('and an exclusion at the same time are decided once', async () => {
    const id = await onlyId(UNBALANCED);
    const command = { id, reason: REASON, actor: OPERATOR };
    const outcomes = await Promise.allSettled([books.statements.accept(command), books.statements.leaveOut(command)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { statement: _statement, acceptance, exclusion } = await books.statements.show(id);
    expect([acceptance, exclusion].filter((each) => each !== undefined)).toHaveLength(1);
  });

  test('is unnecessary for lines that a proven statement has', async () => {
    await onlyId(NO_PROOF);
    await onlyId(statementBytes());
    expect(await books.linesOf(ACCOUNT)).toHaveLength(5);
    expect(await books.bankBalance(ACCOUNT)).toBe(2_028_120);
    expect(await books.broken()).toEqual([]);
  });
});

const HELD_ACCOUNT = '08003000000000000061';
const OPENING = 5_000_000;

const dayOf = (day: number): string => `2026-04-${String(day).padStart(2, '0')}`;
const amountOf = (day: number): number => 1_000 + day;

/** What the account holds when a day begins. */
function balanceBefore(day: number): number {
  let sum = OPENING;
  for (let each = 1; each < day; each += 1) sum += amountOf(each);
  return sum;
}

/** One line a day. The two systems of the bank give them other references. */
function entriesOf(system: 'A' | 'B', from: number, through: number): GivenEntry[] {
  return Array.from({ length: through - from + 1 }, (_, index) => {
    const day = from + index;
    return { day: dayOf(day), amount: amountOf(day), text: `VIREMENT ${day}`, reference: `${system}${day}` };
  });
}

const ofA = (from: number, through: number): Buffer =>
  camt053([
    {
      account: HELD_ACCOUNT,
      balances: [
        { type: 'OPBD', amount: balanceBefore(from), day: dayOf(from) },
        { type: 'CLBD', amount: balanceBefore(through + 1), day: dayOf(through) },
      ],
      entries: entriesOf('A', from, through),
    },
  ]);

const ofB = (from: number, through: number): Buffer =>
  mt940([
    {
      account: HELD_ACCOUNT,
      opening: { amount: balanceBefore(from), day: dayOf(from) },
      closing: { amount: balanceBefore(through + 1), day: dayOf(through) },
      entries: entriesOf('B', from, through),
    },
  ]);

/** The days of `ofB` with other amounts: the last balance is 1 higher for each day. */
const ofOther = (from: number, through: number): Buffer =>
  mt940([
    {
      account: HELD_ACCOUNT,
      opening: { amount: balanceBefore(from), day: dayOf(from) },
      closing: { amount: balanceBefore(through + 1) + (through - from + 1) * 100, day: dayOf(through) },
      entries: entriesOf('B', from, through).map((entry) => ({ ...entry, amount: entry.amount + 100 })),
    },
  ]);

/** The lines of `ofB` without balances. */
const unprovenB = (from: number, through: number): Buffer =>
  camt053([{ account: HELD_ACCOUNT, balances: [], entries: entriesOf('B', from, through) }]);

/** `ofB` without the line of its last day. */
const unbalancedB = (from: number, through: number): Buffer =>
  mt940([
    {
      account: HELD_ACCOUNT,
      opening: { amount: balanceBefore(from), day: dayOf(from) },
      closing: { amount: balanceBefore(through + 1), day: dayOf(through) },
      entries: entriesOf('B', from, through - 1),
    },
  ]);

describeOnEachDatabase('a statement on hold', (harness) => {
  let books: TheBooks;

  beforeEach(() => {
    books = theBooks(harness);
  });
  afterEach(async () => expect(await books.broken()).toEqual([]));

  async function idOf(bytes: Uint8Array): Promise<string> {
    const outcome = await books.import(bytes);
    const id = outcome.kind === 'imported' ? outcome.statements[0]?.statement.id : undefined;
    if (id === undefined) throw new Error('the file is new and holds a statement');
    return id;
  }
  const holdOf = async (id: string): Promise<string | undefined> => (await books.statements.show(id)).statement.hold;
  const breakKinds = async (): Promise<string[]> => (await books.openBreaks(HELD_ACCOUNT)).map(({ kind }) => kind);

  /** Everything that a decision may change. */
  async function seen(): Promise<unknown> {
    const audit = await harness.database.read((session) => rowsOf(session('audit_records').select('action')));
    return {
      lines: await books.linesOf(HELD_ACCOUNT),
      balance: await books.bankBalance(HELD_ACCOUNT),
      breaks: await books.openBreaks(HELD_ACCOUNT),
      listed: (await books.statements.list({ limit: 100 })).rows,
      actions: audit.map((row) => row['action']).sort(),
    };
  }

  test.each([
    ['on hold', ofB(3, 10)],
    ['no-proof', unprovenB(3, 10)],
    ['unbalanced', unbalancedB(3, 10)],
  ])('that is %s is refused for posted movements with other references, and can be excluded', async (_, bytes) => {
    const a = await idOf(ofA(1, 5));
    const id = await idOf(bytes);
    const before = await seen();
    const command = { id, reason: REASON, actor: OPERATOR };
    for (const dryRun of [true, false]) {
      await expect(books.statements.accept({ ...command, dryRun })).rejects.toMatchObject({
        code: 'conflict',
        problem: { code: 'statement_repeats' },
        message: expect.stringContaining(
          `statements ${id} and ${a} both cover 2026-04-03 with different lines: 1,003 DT only in the first, ` +
            '1,003 DT only in the second, which is posted; nothing was changed, because posting both may count money ' +
            `twice; run "millime statements exclude ${id} --reason ..."`,
        ),
      });
    }
    expect(await seen()).toEqual(before);
    await books.statements.leaveOut(command);
    expect((await books.statements.list({ waiting: true, limit: 100 })).rows).toEqual([]);
    expect(await books.bankBalance(HELD_ACCOUNT)).toBe(balanceBefore(6));
  });

  test('is accepted with the lines that no posted statement has, and with the difference of the balances', async () => {
    await books.import(ofA(1, 5));
    const entries = entriesOf('A', 4, 7);
    const closing = { type: 'CLBD', amount: balanceBefore(8) + 1, day: dayOf(7) };
    const id = await idOf(camt053([{ account: HELD_ACCOUNT, balances: [closing], entries }]));
    const { posts, warnings } = await books.statements.accept({ id, reason: REASON, actor: OPERATOR });
    expect(posts).toMatchObject({ lines: 2, balanceAfter: BigInt(balanceBefore(8)) });
    expect(warnings).toEqual([
      'balances differ: the statement closes with 5 007,029 DT, the ledger has 5 007,028 DT through 2026-04-07: ' +
        'a difference of -0,001 DT',
    ]);
    expect(await books.linesOf(HELD_ACCOUNT)).toHaveLength(7);
    expect(await books.bankBalance(HELD_ACCOUNT)).toBe(balanceBefore(8));
  });

  test('counts movements once if it is accepted while the same days are imported', async () => {
    const id = await idOf(unprovenB(1, 5));
    await Promise.allSettled([
      books.statements.accept({ id, reason: REASON, actor: OPERATOR }),
      books.import(ofA(1, 5)),
    ]);
    expect(await books.linesOf(HELD_ACCOUNT)).toHaveLength(5);
  });

  test('puts a later statement with the same movements on hold after it was accepted', async () => {
    await books.import(ofA(1, 5));
    const b = await idOf(ofOther(3, 10));
    expect(await holdOf(b)).toBe('overlap');
    await books.statements.accept({ id: b, reason: REASON, actor: OPERATOR });
    const counted = await books.linesOf(HELD_ACCOUNT);
    const balance = await books.bankBalance(HELD_ACCOUNT);
    expect(counted).toHaveLength(5 + 8);
    expect(await breakKinds()).not.toContain('overlap');

    const c = await idOf(ofA(6, 10));
    expect(await holdOf(c)).toBe('overlap');
    expect(await books.linesOf(HELD_ACCOUNT)).toEqual(counted);
    expect(await books.bankBalance(HELD_ACCOUNT)).toBe(balance);
    expect(await breakKinds()).toContain('overlap');
  });

  test('has its break closed when it is excluded, and nothing else changes', async () => {
    await books.import(ofA(1, 5));
    const b = await idOf(ofB(3, 10));
    expect(await breakKinds()).toEqual(['overlap']);
    const [lines, balance] = [await books.linesOf(HELD_ACCOUNT), await books.bankBalance(HELD_ACCOUNT)];
    await books.statements.leaveOut({ id: b, reason: REASON, actor: OPERATOR });
    expect(await breakKinds()).toEqual([]);
    expect(await books.linesOf(HELD_ACCOUNT)).toEqual(lines);
    expect(await books.bankBalance(HELD_ACCOUNT)).toBe(balance);
    expect((await books.statements.list({ waiting: true, limit: 100 })).rows).toEqual([]);

    // It holds nobody back: what comes next counts.
    const c = await idOf(ofA(6, 10));
    expect(await holdOf(c)).toBeUndefined();
    expect(await books.linesOf(HELD_ACCOUNT)).toHaveLength(10);
    expect(await books.bankBalance(HELD_ACCOUNT)).toBe(balanceBefore(11));
    expect(await breakKinds()).toEqual([]);
  });

  test('is excluded only with the scope, and only while it is on hold', async () => {
    const a = await idOf(ofA(1, 5));
    const b = await idOf(ofOther(3, 10));
    const leaveOut = (id: string, actor: Actor = OPERATOR): Promise<unknown> =>
      books.statements.leaveOut({ id, reason: REASON, actor });
    const amal: Actor = { kind: 'api_key', name: 'amal', keyId: 'K1', scopes: new Set(['statements:write']) };
    const before = await seen();
    await expect(leaveOut(b, amal)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(leaveOut(a)).rejects.toMatchObject({ code: 'conflict' });
    await expect(leaveOut('UNKNOWN')).rejects.toMatchObject({ code: 'not_found' });
    await expect(books.statements.leaveOut({ id: b, reason: '', actor: OPERATOR })).rejects.toMatchObject({
      code: 'bad_input',
    });
    expect(await seen()).toEqual(before);
    await books.statements.accept({ id: b, reason: REASON, actor: OPERATOR });
    await expect(leaveOut(b)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('does not change in a dry run of each decision', async () => {
    await books.import(ofA(1, 5));
    const b = await idOf(ofOther(3, 10));
    const command = { id: b, reason: REASON, actor: OPERATOR, dryRun: true };
    const before = await seen();
    expect(await books.statements.accept(command)).toMatchObject({
      kind: 'accepted',
      listed: { acceptance: undefined },
    });
    expect(await seen()).toEqual(before);
    await books.statements.leaveOut(command);
    expect(await seen()).toEqual(before);
    await expect(books.statements.accept({ ...command, reason: '' })).rejects.toMatchObject({ code: 'bad_input' });
  });
});

describeOnEachDatabase(
  'an opening balance that differs from the posted one by more than a posting can have',
  (harness) => {
    const HUGE = Number.MAX_SAFE_INTEGER - 1_000;
    const fileOf = (day: number, opening: number): Buffer =>
      camt053([
        {
          account: HELD_ACCOUNT,
          balances: [
            { type: 'OPBD', amount: opening, day: dayOf(day) },
            { type: 'CLBD', amount: opening + 5, day: dayOf(day) },
          ],
          entries: [{ day: dayOf(day), amount: 5, text: 'VERSEMENT', reference: `H${day}` }],
        },
      ]);

    test.each([
      ['below', -HUGE, HUGE],
      ['above', HUGE, -HUGE],
    ])('is posted %s it, and the next file is imported', async (_side, later, earlier) => {
      const books = theBooks(harness);
      await books.import(fileOf(20, later));
      await books.import(fileOf(10, earlier));
      expect(await books.bankBalance(HELD_ACCOUNT)).toBe(earlier + 10);
      await books.import(fileOf(25, later));
      expect(await books.linesOf(HELD_ACCOUNT)).toHaveLength(3);
      expect(await books.broken()).toEqual([]);
    });
  },
);

describeOnEachDatabase('a day with two statements', (harness) => {
  const A: GivenEntry = { day: dayOf(7), amount: 500_000, text: 'VIREMENT', reference: 'R1' };
  const B: GivenEntry = { day: dayOf(7), amount: 200_000, text: 'VERSEMENT', reference: 'R2' };
  const C: GivenEntry = { day: dayOf(8), amount: 100_000, text: 'CARTE', reference: 'R3' };
  const fileOf = (day: number, opening: number, entries: readonly GivenEntry[]): Buffer =>
    camt053([
      {
        account: HELD_ACCOUNT,
        balances: [
          { type: 'OPBD', amount: opening, day: dayOf(day) },
          { type: 'CLBD', amount: entries.reduce((sum, { amount }) => sum + amount, opening), day: dayOf(day) },
        ],
        entries,
      },
    ]);
  const FILES = {
    fewer: fileOf(7, 1_000_000, [A]),
    more: fileOf(7, 1_000_000, [A, B]),
    // Goes on from the first of the two, and so says nothing of the line that only the second has.
    next: fileOf(8, 1_500_000, [C]),
  };

  test.each([
    [['fewer', 'more', 'next']],
    [['fewer', 'next', 'more']],
    [['more', 'fewer', 'next']],
    [['more', 'next', 'fewer']],
    [['next', 'fewer', 'more']],
    [['next', 'more', 'fewer']],
  ] as const)('and is followed by the lower of its balances is a break, imported as %j', async (order) => {
    const books = theBooks(harness);
    for (const name of order) await books.import(FILES[name]);
    expect(await books.openBreaks(HELD_ACCOUNT)).toMatchObject([
      { kind: 'break', facts: { closes: '1700.000', opens: '1500.000' } },
    ]);
    expect(await books.linesOf(HELD_ACCOUNT)).toHaveLength(3);
    expect(await books.broken()).toEqual([]);
  });
});
