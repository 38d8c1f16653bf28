// Goal: what a bank only announces is never in the books, and is gone from the list once it is booked, one for one.
// Method: interim reports (MT942, camt.052) and camt.053 with entries of the state PDNG, before and after the statement.
import { beforeEach, expect, test } from '@jest/globals';
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

describeOnEachDatabase('entries that are only announced', (harness) => {
  let books: TheBooks;

  beforeEach(() => {
    books = theBooks(harness);
  });

  const waiting = async (): Promise<string[]> =>
    (await books.statements.pending(ACCOUNT)).map(({ remittance }) => remittance).sort();

  test.each([
    ['MT942', mt942],
    ['camt.052', camt052],
  ])('of an %s are listed, never posted, and replaced by their bookings', async (_name, report) => {
    await books.import(report([RENT, CARD, CARD]));
    expect(await waiting()).toEqual(['CARTE', 'CARTE', 'LOYER']);
    expect(await books.linesOf(ACCOUNT)).toEqual([]);
    expect(await books.bankBalance(ACCOUNT)).toBe(0);

    await books.import(camt053({ booked: [RENT, CARD] }));
    expect(await waiting()).toEqual(['CARTE']);
    expect(await books.bankBalance(ACCOUNT)).toBe(1_200);
    expect(await books.broken()).toEqual([]);
  });

  test('are replaced by their reference although the text of the booking is another', async () => {
    await books.import(camt052([RENT]));
    await books.import(camt053({ booked: [{ ...RENT, text: 'LOYER AVRIL' }] }));
    expect(await waiting()).toEqual([]);
  });

  test('are known as booked when the statement came first, one to one', async () => {
    await books.import(camt053({ booked: [RENT, CARD] }));
    await books.import(camt052([RENT, CARD, CARD]));
    expect(await waiting()).toEqual(['CARTE']);
  });

  test('of a statement that books others wait, and its booked ones count', async () => {
    await books.import(camt053({ booked: [RENT], pending: [CARD] }));
    expect(await waiting()).toEqual(['CARTE']);
    expect(await books.bankBalance(ACCOUNT)).toBe(1_000);
    expect(await books.broken()).toEqual([]);
  });

  test('are those of the last report', async () => {
    await books.import(camt052([RENT, CARD], '2026-04-02'));
    await books.import(camt052([CARD], '2026-04-03'));
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

function camt052(entries: readonly Entry[], day = '2026-04-02'): Buffer {
  return camt('052', 'BkToCstmrAcctRpt', 'Rpt', entries.map((entry) => camtEntry(entry, 'PDNG', day)).join(''));
}

function camt053({ booked, pending = [] }: { booked: readonly Entry[]; pending?: readonly Entry[] }): Buffer {
  const balance = (type: string, amount: number): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${money({ amount, text: '' })}<Dt><Dt>2026-04-03</Dt></Dt></Bal>`;
  const closing = booked.reduce((sum, { amount }) => sum + amount, 0);
  const entries = [
    ...booked.map((entry) => camtEntry(entry, 'BOOK', '2026-04-03')),
    ...pending.map((entry) => camtEntry(entry, 'PDNG', '2026-04-03')),
  ];
  return camt('053', 'BkToCstmrStmt', 'Stmt', balance('OPBD', 0) + balance('CLBD', closing) + entries.join(''));
}

function mt942(entries: readonly Entry[]): Buffer {
  const lines = entries.flatMap(({ amount, text, reference }) => {
    const digits = (amount / 1_000).toFixed(3).replace('.', ',');
    return [`:61:2604020402C${digits}NTRFNONREF${reference === undefined ? '' : `//${reference}`}`, `:86:${text}`];
  });
  return Buffer.from(
    [':20:R', `:25:${ACCOUNT}`, ':28C:1', ':34F:TND0,', ':13D:2604021200+0100', ...lines, '-', ''].join('\r\n'),
  );
}
