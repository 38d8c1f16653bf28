// Goal: an announced movement is never posted, and leaves the list once it is booked, one for one.
// Method: interim reports (MT942, camt.052) and camt.053 with entries of the state PDNG, before and after the
// statement.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { OPERATOR } from '../../../src/identity';
import { type ListedStatement, openStatements } from '../../../src/statements';
import { camt052, camt053, type GivenCamt, type GivenEntry, mt940, mt942 } from '../../support/bank-messages';
import { describeOnEachDatabase } from '../../support/db';
import { type TheBooks, theBooks } from './set-of-lines/the-books';

const ACCOUNT = '08003000000000000077';

interface Entry {
  readonly amount: number;
  readonly text: string;
  readonly reference?: string;
}

const RENT: Entry = { amount: 1_000, text: 'LOYER', reference: 'R1' };
const CARD: Entry = { amount: 200, text: 'CARTE' };

describeOnEachDatabase('announced entries', (harness) => {
  let books: TheBooks;

  beforeEach(() => {
    books = theBooks(harness);
  });

  const waiting = async (): Promise<string[]> =>
    (await books.statements.pending({ account: ACCOUNT, limit: 100 })).rows.map(({ remittance }) => remittance).sort();

  test.each([
    ['MT942', interimMt942],
    ['camt.052', interimCamt],
  ])('are listed for an %s, never posted, and replaced when booked', async (_name, report) => {
    await books.import(report([RENT, CARD, CARD]));
    expect(await waiting()).toEqual(['CARTE', 'CARTE', 'LOYER']);
    expect(await books.linesOf(ACCOUNT)).toEqual([]);
    expect(await books.bankBalance(ACCOUNT)).toBe(0);

    await books.import(statementCamt({ booked: [RENT, CARD] }));
    expect(await waiting()).toEqual(['CARTE']);
    expect(await books.bankBalance(ACCOUNT)).toBe(1_200);
    expect(await books.broken()).toEqual([]);
  });

  test('are replaced by reference even if the text of the booking differs', async () => {
    await books.import(interimCamt([RENT]));
    await books.import(statementCamt({ booked: [{ ...RENT, text: 'LOYER AVRIL' }] }));
    expect(await waiting()).toEqual([]);
  });

  test('are matched to booked lines of an earlier statement, one to one', async () => {
    await books.import(statementCamt({ booked: [RENT, CARD] }));
    await books.import(interimCamt([RENT, CARD, CARD]));
    expect(await waiting()).toEqual(['CARTE']);
  });

  test('remain listed while their statement books other entries', async () => {
    await books.import(statementCamt({ booked: [RENT], pending: [CARD] }));
    expect(await waiting()).toEqual(['CARTE']);
    expect(await books.bankBalance(ACCOUNT)).toBe(1_000);
    expect(await books.broken()).toEqual([]);
  });

  test('are those of the last report only', async () => {
    await books.import(interimCamt([RENT, CARD], '2026-04-02'));
    await books.import(interimCamt([CARD], '2026-04-03'));
    expect(await waiting()).toEqual(['CARTE']);
  });
});

function money({ amount }: Entry): string {
  return `<Amt Ccy="TND">${(amount / 1_000).toFixed(3)}</Amt><CdtDbtInd>CRDT</CdtDbtInd>`;
}

function camtEntry(entry: Entry, status: 'BOOK' | 'PDNG', day: string): string {
  const reference = entry.reference === undefined ? '' : `<AcctSvcrRef>${entry.reference}</AcctSvcrRef>`;
  return (
    `<Ntry>${money(entry)}<Sts>${status}</Sts><BookgDt><Dt>${day}</Dt></BookgDt>${reference}` +
    `<NtryDtls><TxDtls><RmtInf><Ustrd>${entry.text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
  );
}

function camt(message: '052' | '053', root: string, statement: string, content: string): Buffer {
  return Buffer.from(
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.02"><${root}>` +
      `<GrpHdr><MsgId>M</MsgId><CreDtTm>2026-04-03T08:00:00</CreDtTm></GrpHdr><${statement}><Id>S1</Id>` +
      `<CreDtTm>2026-04-03T08:00:00</CreDtTm><Acct><Id><Othr><Id>${ACCOUNT}</Id></Othr></Id><Ccy>TND</Ccy></Acct>` +
      `${content}</${statement}></${root}></Document>`,
  );
}

function interimCamt(entries: readonly Entry[], day = '2026-04-02'): Buffer {
  return camt('052', 'BkToCstmrAcctRpt', 'Rpt', entries.map((entry) => camtEntry(entry, 'PDNG', day)).join(''));
}

function statementCamt({ booked, pending = [] }: { booked: readonly Entry[]; pending?: readonly Entry[] }): Buffer {
  const balance = (type: string, amount: number): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${money({ amount, text: '' })}<Dt><Dt>2026-04-03</Dt></Dt></Bal>`;
  const closing = booked.reduce((sum, { amount }) => sum + amount, 0);
  const entries = [
    ...booked.map((entry) => camtEntry(entry, 'BOOK', '2026-04-03')),
    ...pending.map((entry) => camtEntry(entry, 'PDNG', '2026-04-03')),
  ];
  return camt('053', 'BkToCstmrStmt', 'Stmt', balance('OPBD', 0) + balance('CLBD', closing) + entries.join(''));
}

function interimMt942(entries: readonly Entry[]): Buffer {
  const lines = entries.flatMap(({ amount, text, reference }) => {
    const digits = (amount / 1_000).toFixed(3).replace('.', ',');
    return [`:61:2604020402C${digits}NTRFNONREF${reference === undefined ? '' : `//${reference}`}`, `:86:${text}`];
  });
  return Buffer.from(
    [':20:R', `:25:${ACCOUNT}`, ':28C:1', ':34F:TND0,', ':13D:2604021200+0100', ...lines, '-', ''].join('\r\n'),
  );
}

const INTERIM_ACCOUNT = '08003000000000000052';
const DAY = '2026-04-02';
const ENTRIES: readonly GivenEntry[] = [
  { day: DAY, amount: 300_000, text: 'LOYER', reference: 'R1' },
  { day: DAY, amount: 200_000, text: 'CARTE' },
];

function ofDay(closingType: 'ITBD' | 'CLBD'): GivenCamt {
  return {
    account: INTERIM_ACCOUNT,
    balances: [
      { type: 'OPBD', amount: 1_000_000, day: DAY },
      { type: closingType, amount: 1_500_000, day: DAY },
    ],
    entries: ENTRIES,
  };
}

describeOnEachDatabase('an interim report', (harness) => {
  let books: TheBooks;

  beforeEach(() => {
    books = theBooks(harness);
  });
  afterEach(async () => expect(await books.broken()).toEqual([]));

  const waiting = async (): Promise<string[]> =>
    (await books.statements.pending({ account: INTERIM_ACCOUNT, limit: 100 })).rows
      .map(({ remittance }) => remittance)
      .sort();

  const isCovered = async (): Promise<boolean> =>
    (await harness.database.read((session) => openStatements(session).coverage())).has(INTERIM_ACCOUNT);

  async function onlyOf(bytes: Uint8Array): Promise<ListedStatement> {
    const outcome = await books.import(bytes);
    const listed = outcome.kind === 'imported' ? outcome.statements[0] : undefined;
    if (listed === undefined) throw new Error('the file is new and holds a statement');
    return listed;
  }

  test.each(['ITBD', 'CLBD'] as const)(
    'with a closing balance %s that adds up proves nothing, covers nothing and cannot be accepted',
    async (closingType) => {
      const { statement } = await onlyOf(camt052([ofDay(closingType)]));
      expect(statement).toMatchObject({ kind: 'interim', verdict: 'no-proof', entries: 0, pendingEntries: 2 });
      expect(await waiting()).toEqual(['CARTE', 'LOYER']);
      expect(await books.linesOf(INTERIM_ACCOUNT)).toEqual([]);
      expect(await books.bankBalance(INTERIM_ACCOUNT)).toBe(0);
      expect(await isCovered()).toBe(false);
      const accepted = books.statements.accept({ id: statement.id, reason: 'it adds up', actor: OPERATOR });
      await expect(accepted).rejects.toMatchObject({ code: 'conflict' });
      expect(await books.linesOf(INTERIM_ACCOUNT)).toEqual([]);
    },
  );

  test('is replaced by the statement with the same figures, which is posted', async () => {
    await books.import(camt052([ofDay('CLBD')]));
    const { statement } = await onlyOf(camt053([ofDay('CLBD')]));
    expect(statement).toMatchObject({ verdict: 'ok', hold: undefined, entries: 2 });
    expect(await books.linesOf(INTERIM_ACCOUNT)).toHaveLength(2);
    expect(await books.bankBalance(INTERIM_ACCOUNT)).toBe(1_500_000);
    expect(await isCovered()).toBe(true);
    expect(await waiting()).toEqual([]);
    expect(await books.openBreaks(INTERIM_ACCOUNT)).toEqual([]);
  });

  test.each([
    ['after', ['report', 'statement']],
    ['before', ['statement', 'report']],
  ] as const)('of three days does not hold the statement of the middle day that comes %s it', async (_when, order) => {
    const line = (day: string, reference: string): GivenEntry => ({ day, amount: 100_000, text: day, reference });
    const files = {
      report: camt052([
        {
          account: INTERIM_ACCOUNT,
          balances: [
            { type: 'OPBD', amount: 1_000_000, day: '2026-04-01' },
            { type: 'CLBD', amount: 1_300_000, day: '2026-04-03' },
          ],
          entries: [line('2026-04-01', 'R1'), line(DAY, 'R2'), line('2026-04-03', 'R3')],
        },
      ]),
      // Another system of the bank, with other references.
      statement: camt053([
        {
          account: INTERIM_ACCOUNT,
          balances: [
            { type: 'OPBD', amount: 1_100_000, day: DAY },
            { type: 'CLBD', amount: 1_200_000, day: DAY },
          ],
          entries: [line(DAY, 'OTHER')],
        },
      ]),
    };
    for (const name of order) await books.import(files[name]);
    expect((await books.statements.list({ limit: 100 })).rows).toMatchObject([
      { statement: { hold: undefined } },
      { statement: { hold: undefined } },
    ]);
    expect(await books.openBreaks(INTERIM_ACCOUNT)).toEqual([]);
    expect(await books.linesOf(INTERIM_ACCOUNT)).toEqual([`${DAY}|100000|${DAY}|OTHER`]);
    expect(await books.bankBalance(INTERIM_ACCOUNT)).toBe(1_200_000);
    expect(await waiting()).toEqual(['2026-04-01', '2026-04-03']);
  });

  test('lists the entries that it calls booked until the next report', async () => {
    const report = (entries: readonly GivenEntry[], id: string): Buffer =>
      camt052([{ account: INTERIM_ACCOUNT, id, balances: [], entries }]);
    const third: GivenEntry = { day: DAY, amount: 50_000, text: 'FRAIS' };
    await books.import(report(ENTRIES, 'RPT1'));
    await books.import(report([...ENTRIES.slice(1), third], 'RPT2'));
    expect(await waiting()).toEqual(['CARTE', 'FRAIS']);
  });
});

describeOnEachDatabase('interim reports that repeat earlier ones', (harness) => {
  const lines: readonly GivenEntry[] = [
    { day: DAY, amount: 300_000, text: 'LOYER', reference: 'R1' },
    { day: DAY, amount: 200_000, text: 'CARTE' },
    { day: DAY, amount: -50_000, text: 'FRAIS' },
  ];
  const report = (id: string, entries: readonly GivenEntry[]): Buffer =>
    mt942({ account: INTERIM_ACCOUNT, id, entries });
  const statement = (entries: readonly GivenEntry[]): Buffer =>
    mt940([
      {
        account: INTERIM_ACCOUNT,
        opening: { amount: 1_000_000, day: DAY },
        closing: { amount: entries.reduce((sum, { amount }) => sum + amount, 1_000_000), day: DAY },
        entries,
      },
    ]);
  let books: TheBooks;

  beforeEach(() => {
    books = theBooks(harness);
  });
  afterEach(async () => expect(await books.broken()).toEqual([]));

  const waiting = async (): Promise<string[]> =>
    (await books.statements.pending({ account: INTERIM_ACCOUNT, limit: 100 })).rows.map(({ remittance }) => remittance);

  test('leave no announced entry when the statement books every line', async () => {
    await books.import(report('R-1', lines.slice(0, 2)));
    await books.import(report('R-2', lines));
    expect(await waiting()).toHaveLength(3);
    await books.import(statement(lines));
    expect(await waiting()).toEqual([]);
    expect(await books.bankBalance(INTERIM_ACCOUNT)).toBe(1_450_000);
  });

  test('announce nothing after the statement, or after another report of its lines', async () => {
    await books.import(report('R-1', lines.slice(0, 2)));
    await books.import(statement(lines));
    await books.import(report('R-2', lines));
    expect(await waiting()).toEqual([]);
    await books.import(report('R-3', lines.slice(1)));
    expect(await waiting()).toEqual([]);
    expect(await books.bankBalance(INTERIM_ACCOUNT)).toBe(1_450_000);
  });

  test('lose one of two equal entries if only one is booked', async () => {
    const card: GivenEntry = { day: DAY, amount: 200_000, text: 'CARTE' };
    await books.import(report('R-1', [card]));
    await books.import(report('R-2', [card, card]));
    await books.import(statement([card]));
    expect(await waiting()).toEqual(['CARTE']);
    await books.import(report('R-3', [card, card, card]));
    expect(await waiting()).toEqual(['CARTE', 'CARTE']);
  });
});
