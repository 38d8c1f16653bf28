import { quoted } from '../../../kernel';
import { formatDecimal } from '../currencies';
import { parseDecimal } from '../decimal';
import type { LineStatus, StatementKind } from '../parsed-statement';
import { refusalAt } from '../refusal';
import {
  amountOf,
  appended,
  currencyCode,
  dateOf,
  isMidnight,
  lastDayOf,
  readDate,
  referenceOf,
  requireFirst,
  setAmount,
  setSide,
} from './camt-fields';
import type { CamtMessage } from './camt-message';
import { entryDetails } from './entry-details';
import { group, leaf, type XmlElement, type XmlText } from './xml-element';

type Element = XmlElement<CamtMessage>;

const STATUSES: ReadonlyMap<string, LineStatus> = new Map([
  ['BOOK', 'booked'],
  ['PDNG', 'pending'],
  ['FUTR', 'pending'],
  ['INFO', 'information'],
]);

const COUNT = /^\d{1,15}$/;

/** Sets the status of an entry. A word of the bank's own (Prtry) counts only if it is one of the standard. */
function setStatus({ entry }: CamtMessage, found: XmlText): void {
  requireFirst(entry.status, 'status', found);
  entry.status = STATUSES.get(found.text);
  if (entry.status !== undefined) return;
  const amount = entry.amount === undefined ? '?' : formatDecimal(entry.amount, entry.currency);
  const reference = referenceOf(entry.entryReference);
  const which = reference === '' ? amount : `${amount}, ${quoted(reference)}`;
  throw refusalAt(
    found.line,
    `expected the status BOOK, PDNG, INFO or FUTR for the entry ${which}, got ${quoted(found.text)}; ` +
      'ask the bank what it means, and for a file that states whether the entry is booked',
  );
}

// Newer versions write the word in an element below, so the text of Sts itself is empty.
const status = group<CamtMessage>(
  { Cd: leaf(setStatus), Prtry: leaf(setStatus) },
  {
    text(message, found) {
      if (found.text !== '') setStatus(message, found);
    },
  },
);

const bookingDate = leaf<CamtMessage>(({ entry }, found) => {
  requireFirst(entry.bookingDate, 'booking date', found);
  entry.bookingDate = dateOf(found);
});

const valueDate = leaf<CamtMessage>(({ entry }, found) => {
  requireFirst(entry.valueDate, 'value date', found);
  entry.valueDate = dateOf(found);
});

const domainPart = leaf<CamtMessage>(({ entry }, found) => (entry.domainCode = appended(entry.domainCode, found, '/')));

const batch = group<CamtMessage>({
  MsgId: leaf(({ entry }, { text }) => (entry.batchId = referenceOf(text))),
  PmtInfId: leaf(({ entry }, found) => (entry.batchId = appended(entry.batchId, found))),
});

const entry = group<CamtMessage>(
  {
    Amt: leaf((message, found) => setAmount(message.entry, found)),
    CdtDbtInd: leaf((message, found) => setSide(message.entry, found)),
    Sts: status,
    BookgDt: group({ Dt: bookingDate, DtTm: bookingDate }),
    ValDt: group({ Dt: valueDate, DtTm: valueDate }),
    AcctSvcrRef: leaf((message, { text }) => (message.entry.servicerReference = text)),
    NtryRef: leaf((message, { text }) => (message.entry.entryReference = text)),
    BkTxCd: group({
      Domn: group({ Cd: domainPart, Fmly: group({ Cd: domainPart, SubFmlyCd: domainPart }) }),
      Prtry: group({ Cd: leaf((message, { text }) => (message.entry.ownCode = text)) }),
    }),
    AddtlNtryInf: leaf((message, found) => (message.entry.additional = appended(message.entry.additional, found))),
    NtryDtls: group({ Btch: batch, TxDtls: entryDetails }),
    // The first version has no separate elements for these.
    Btch: batch,
    TxDtls: entryDetails,
  },
  {
    open: (message, line) => message.openEntry(line),
    raw: (message, raw) => message.setRaw(raw),
    close: (message) => message.closeEntry(),
  },
);

const balanceType = leaf<CamtMessage>(({ balance }, { text }) => (balance.type = text));
const balanceSubType = leaf<CamtMessage>(({ balance }, { text }) => (balance.subType = text));
const balanceDate = leaf<CamtMessage>(({ balance }, found) => (balance.date = dateOf(found)));

const balance = group<CamtMessage>(
  {
    Tp: group({ CdOrPrtry: group({ Cd: balanceType }), Cd: balanceType, SubTp: group({ Cd: balanceSubType }) }),
    Amt: leaf((message, found) => setAmount(message.balance, found)),
    CdtDbtInd: leaf((message, found) => setSide(message.balance, found)),
    Dt: group({ Dt: balanceDate, DtTm: balanceDate }),
  },
  { open: (message, line) => message.openBalance(line), close: (message) => message.closeBalance() },
);

function countOf({ text, line }: XmlText): number {
  if (!COUNT.test(text)) throw refusalAt(line, `expected a number of entries, got ${quoted(text)}`);
  return Number(text);
}

/** Some banks write the sum of the debits with a minus. It is a debit either way. */
function sumOf(found: XmlText): ReturnType<typeof amountOf> {
  const { text } = found;
  return parseDecimal(text) === undefined ? amountOf(found) : amountOf({ ...found, text: text.replace('-', '') });
}

const totals = group<CamtMessage>({
  TtlCdtNtries: group({
    NbOfNtries: leaf(({ statement }, found) => (statement.totals.creditEntries = countOf(found))),
    Sum: leaf(({ statement }, found) => (statement.totals.credits = amountOf(found))),
  }),
  TtlDbtNtries: group({
    NbOfNtries: leaf(({ statement }, found) => (statement.totals.debitEntries = countOf(found))),
    Sum: leaf(({ statement }, found) => (statement.totals.debits = sumOf(found))),
  }),
});

const otherAccount = leaf<CamtMessage>(({ statement }, found) => {
  requireFirst(statement.otherAccount || undefined, 'number of the account', found);
  statement.otherAccount = found.text;
});

const account = group<CamtMessage>(
  {
    Id: group({
      IBAN: leaf(({ statement }, found) => {
        requireFirst(statement.iban || undefined, 'IBAN of the account', found);
        statement.iban = found.text;
      }),
      Othr: group({ Id: otherAccount }),
      BBAN: otherAccount,
      PrtryAcct: group({ Id: otherAccount }),
    }),
    Ccy: leaf(({ statement }, found) => {
      requireFirst(statement.accountCurrency, 'currency of the account', found);
      statement.accountCurrency = currencyCode(found);
    }),
  },
  {
    open: ({ statement }, line) => {
      if (statement.hasAccount) throw refusalAt(line, 'expected one Acct in a statement, got another');
      statement.hasAccount = true;
    },
  },
);

const pagination = group<CamtMessage>({
  PgNb: leaf(({ statement }, { text, line }) => {
    if (!COUNT.test(text)) throw refusalAt(line, `expected the number of a page, got ${quoted(text)}`);
    statement.page = text;
  }),
  LastPgInd: leaf(({ statement }, { text, line }) => {
    if (!['true', 'false', '1', '0'].includes(text)) {
      throw refusalAt(line, `expected true or false, got ${quoted(text)}`);
    }
    statement.lastPage = text === 'true' || text === '1';
  }),
});

const period = group<CamtMessage>(
  {
    FrDtTm: leaf(({ statement }, found) => (statement.from = dateOf(found))),
    ToDtTm: leaf(({ statement }, found) => {
      statement.through = dateOf(found);
      statement.endsAtMidnight = isMidnight(found);
    }),
  },
  {
    close: ({ statement }) => {
      statement.through = lastDayOf(statement);
      statement.endsAtMidnight = false;
    },
  },
);

/** Returns the elements of a statement, a report or a notification, which differ only in names. */
function statementOf(kind: StatementKind): Element {
  return group<CamtMessage>(
    {
      Id: leaf(({ statement }, { text }) => (statement.bankId = text)),
      StmtPgntn: pagination,
      RptPgntn: pagination,
      NtfctnPgntn: pagination,
      ElctrncSeqNb: leaf(({ statement }, { text }) => (statement.electronicNumber = text)),
      LglSeqNb: leaf(({ statement }, { text }) => (statement.legalNumber = text)),
      CreDtTm: leaf(({ statement }, { text }) => (statement.created = readDate(text))),
      FrToDt: period,
      Acct: account,
      Bal: balance,
      TxsSummry: totals,
      Ntry: entry,
    },
    { open: (message, line) => message.openStatement(kind, line), close: (message) => message.closeStatement() },
  );
}

const header = group<CamtMessage>({
  CreDtTm: leaf((message, { text }) => (message.createdOn = readDate(text))),
});

/** Entries and the elements that contain entries. Skipping one would silently lose money. */
export const NEVER_PASSED_OVER: ReadonlySet<string> = new Set(['Ntry', 'Stmt', 'Rpt', 'Ntfctn']);

/** The content of the element Document of each message, by the number of the message. */
export const CAMT_DOCUMENTS: Readonly<Record<string, Element>> = {
  '052': documentOf('BkToCstmrAcctRpt', group({ GrpHdr: header, Rpt: statementOf('interim') })),
  '053': documentOf('BkToCstmrStmt', group({ GrpHdr: header, Stmt: statementOf('statement') })),
  '054': documentOf('BkToCstmrDbtCdtNtfctn', group({ GrpHdr: header, Ntfctn: statementOf('notification') })),
};

function documentOf(message: string, content: Element): Element {
  return group(
    { [message]: content, [`${message}V01`]: content },
    { open: (target) => void (target.createdOn = undefined) },
  );
}
