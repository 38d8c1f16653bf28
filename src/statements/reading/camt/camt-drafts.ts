import type { BusinessDate } from '../../../kernel';
import type { Decimal } from '../decimal';
import type { LineDetail, LineStatus, StatedTotals, StatementKind } from '../parsed-statement';

/** An amount, its currency and its side, which are three elements in any order. */
export interface MoneyDraft {
  /** As written, never negative. */
  amount: Decimal | undefined;
  currency: string | undefined;
  side: 'credit' | 'debit' | undefined;
}

export interface StatementDraft {
  readonly kind: StatementKind;
  readonly fileLine: number;
  bankId: string;
  electronicNumber: string;
  legalNumber: string;
  page: string;
  lastPage: boolean | undefined;
  created: BusinessDate | undefined;
  from: BusinessDate | undefined;
  through: BusinessDate | undefined;
  /** Whether the period ends at midnight, that is, with the previous day. */
  endsAtMidnight: boolean;
  /** Whether the account was named. */
  hasAccount: boolean;
  iban: string;
  otherAccount: string;
  accountCurrency: string | undefined;
  readonly balances: BalanceDraft[];
  readonly totals: { -readonly [Name in keyof StatedTotals]: StatedTotals[Name] };
  readonly currencies: Set<string>;
  /** The notes, each with the first line of the file to which it applies. */
  readonly notes: Map<string, number>;
}

export interface BalanceDraft extends MoneyDraft {
  readonly fileLine: number;
  /** OPBD, CLBD, ...; empty for a code of the bank. */
  type: string;
  subType: string;
  date: BusinessDate | undefined;
}

/** The parties of a transaction, in the words of camt. For a credit, the debtor is the other side. */
export interface PartyDraft {
  name: string;
  ultimateName: string;
  account: string;
}

export interface DetailDraft extends MoneyDraft {
  transactionAmount: Decimal | undefined;
  transactionCurrency: string | undefined;
  endToEndId: string;
  bankReference: string;
  readonly debtor: PartyDraft;
  readonly creditor: PartyDraft;
  unstructured: string;
  structured: string;
  additional: string;
}

export interface EntryDraft extends MoneyDraft {
  readonly fileLine: number;
  status: LineStatus | undefined;
  bookingDate: BusinessDate | undefined;
  valueDate: BusinessDate | undefined;
  servicerReference: string;
  entryReference: string;
  domainCode: string;
  ownCode: string;
  batchId: string;
  additional: string;
  raw: string;
  readonly details: LineDetail[];
  /** The number of characters in `details`. */
  detailCharacters: number;
}

export function newStatement(kind: StatementKind, fileLine: number): StatementDraft {
  return {
    ...{ kind, fileLine, bankId: '', electronicNumber: '', legalNumber: '', page: '', lastPage: undefined },
    ...{ created: undefined, from: undefined, through: undefined, endsAtMidnight: false },
    ...{ hasAccount: false, iban: '', otherAccount: '', accountCurrency: undefined },
    ...{ balances: [], totals: {}, currencies: new Set(), notes: new Map() },
  };
}

export function newBalance(fileLine: number): BalanceDraft {
  return { amount: undefined, currency: undefined, side: undefined, fileLine, type: '', subType: '', date: undefined };
}

export function newEntry(fileLine: number): EntryDraft {
  return {
    amount: undefined,
    currency: undefined,
    side: undefined,
    fileLine,
    status: undefined,
    bookingDate: undefined,
    valueDate: undefined,
    servicerReference: '',
    entryReference: '',
    domainCode: '',
    ownCode: '',
    batchId: '',
    additional: '',
    raw: '',
    details: [],
    detailCharacters: 0,
  };
}

export function newDetail(): DetailDraft {
  return {
    amount: undefined,
    currency: undefined,
    side: undefined,
    transactionAmount: undefined,
    transactionCurrency: undefined,
    endToEndId: '',
    bankReference: '',
    debtor: { name: '', ultimateName: '', account: '' },
    creditor: { name: '', ultimateName: '', account: '' },
    unstructured: '',
    structured: '',
    additional: '',
  };
}
