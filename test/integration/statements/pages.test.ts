// Goal: the pages of a statement are one statement, and a page that is missing is a gap.
// Method: MT940 pages with 60M and 62M, and camt.053 pages with page numbers, in one file and in several.
import { beforeEach, expect, test } from '@jest/globals';
import { describeOnEachDatabase } from '../../support/db';
import { type TheBooks, theBooks } from './set-of-lines/the-books';

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
  ])('of an %s in one file are one statement that proves itself', async (_name, pages) => {
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
  ])('of an %s without the one in the middle have a gap, until it comes', async (_name, pages) => {
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
