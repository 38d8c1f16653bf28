/** The possible meanings of a column of a bank's export. */
export type ColumnRole =
  | 'bookingDate'
  | 'valueDate'
  | 'remittance'
  | 'counterparty'
  | 'counterpartyAccount'
  | 'reference'
  | 'endToEndId'
  | 'transactionCode'
  | 'debit'
  | 'credit'
  | 'amount'
  | 'direction'
  | 'balance'
  | 'account'
  | 'currency'
  | 'status';

export const LANGUAGES = ['english', 'french', 'german', 'arabic'] as const;
export type Language = (typeof LANGUAGES)[number];

type Words = Readonly<Partial<Record<Language, readonly string[]>>>;

/**
 * The names that banks use for their columns, the clearest first, in the form of `comparable`. The German
 * `Auftragskonto` is missing: one export contains rows of several accounts, so only a person can choose one.
 */
export const KNOWN_COLUMNS: Readonly<Record<ColumnRole, Words>> = {
  bookingDate: {
    english: ['booking date', 'posting date', 'post date', 'posted date', 'date posted', 'transaction date', 'date'],
    french: ['date comptable', 'date de comptabilisation', 'date d operation', 'date operation', 'date op', 'date'],
    german: ['buchungstag', 'buchungsdatum', 'buchung', 'datum'],
    arabic: ['تاريخ العمليه', 'تاريخ العملية', 'التاريخ'],
  },
  valueDate: {
    english: ['value date', 'date value'],
    french: ['date de valeur', 'date valeur', 'date val', 'valeur'],
    german: ['valutadatum', 'wertstellung', 'wertstellungsdatum', 'wertstellungstag', 'valuta'],
    arabic: ['تاريخ القيمة', 'تاريخ الاستحقاق'],
  },
  remittance: {
    english: ['description', 'details', 'narrative', 'remittance information', 'transaction description', 'memo'],
    french: [
      'libelle',
      'libelle operation',
      'libelle de l operation',
      'nature de l operation',
      'description',
      'details',
    ],
    german: ['verwendungszweck', 'buchungsdetails', 'buchungstext'],
    arabic: ['البيان', 'الوصف'],
  },
  counterparty: {
    english: ['counterparty', 'counterparty name', 'payee', 'beneficiary', 'name'],
    french: ['contrepartie', 'donneur d ordre', 'beneficiaire', 'tiers'],
    german: ['beguenstigter zahlungspflichtiger', 'auftraggeber empfanger', 'empfanger', 'name zahlungsbeteiligter'],
  },
  counterpartyAccount: {
    english: ['counterparty account', 'counterparty iban', 'beneficiary account'],
    french: ['compte contrepartie', 'iban contrepartie', 'compte beneficiaire'],
    german: ['kontonummer iban', 'iban zahlungsbeteiligter', 'gegenkonto'],
  },
  reference: {
    english: ['bank reference', 'transaction reference', 'transaction id', 'reference', 'ref'],
    french: ['reference operation', 'reference', 'ref', 'numero d operation', 'n operation'],
    german: ['referenz', 'bankreferenz'],
    arabic: ['المرجع'],
  },
  endToEndId: {
    english: ['end to end id', 'end to end reference', 'endtoendid'],
    french: ['reference de bout en bout'],
    german: ['kundenreferenz end to end', 'end to end referenz'],
  },
  transactionCode: {
    english: ['transaction type', 'transaction code'],
    french: ['type d operation', 'code operation'],
    german: ['buchungstext'],
  },
  debit: {
    english: ['debit', 'debit amount', 'amount debit', 'withdrawal', 'withdrawals', 'paid out', 'money out'],
    french: ['debit', 'montant debit', 'debits'],
    german: ['soll', 'belastung'],
    arabic: ['مدين', 'المدين'],
  },
  credit: {
    english: ['credit', 'credit amount', 'amount credit', 'deposit', 'deposits', 'paid in', 'money in'],
    french: ['credit', 'montant credit', 'credits'],
    german: ['haben', 'gutschrift'],
    arabic: ['دائن', 'الدائن'],
  },
  amount: {
    english: ['amount', 'transaction amount'],
    french: ['montant', 'montant operation', 'montant de l operation'],
    german: ['betrag', 'umsatz'],
    arabic: ['المبلغ'],
  },
  direction: {
    english: ['debit credit', 'credit debit', 'd c', 'c d', 'dr cr', 'cr dr', 'credit debit indicator', 'direction'],
    french: ['sens', 'debit credit', 'sens operation'],
    german: ['soll haben', 's h', 'soll haben kennzeichen'],
  },
  balance: {
    english: ['balance', 'running balance', 'balance after', 'account balance'],
    french: ['solde', 'solde courant', 'solde progressif', 'solde apres operation'],
    german: ['saldo', 'kontostand', 'saldo nach buchung'],
    arabic: ['الرصيد'],
  },
  account: {
    english: ['account', 'account number', 'account iban', 'account no', 'iban'],
    french: ['compte', 'numero de compte', 'n compte', 'n de compte', 'rib', 'iban'],
    german: ['konto', 'kontonummer', 'iban'],
    arabic: ['الحساب', 'رقم الحساب'],
  },
  currency: {
    english: ['currency', 'ccy', 'currency code'],
    french: ['devise', 'monnaie', 'code devise'],
    german: ['wahrung', 'waehrung'],
    arabic: ['العملة'],
  },
  status: {
    english: ['status', 'state', 'booking status', 'transaction status'],
    french: ['statut', 'etat'],
    german: ['info', 'status'],
  },
};

/** The words for debit and credit, in the form of `comparable`. */
export const DIRECTION_WORDS = {
  debit: ['d', 'dr', 'dbit', 'debit', 's', 'soll', 'مدين'],
  credit: ['c', 'cr', 'crdt', 'credit', 'h', 'haben', 'دائن'],
} as const;

export const STATUS_WORDS = {
  booked: ['booked', 'posted', 'completed', 'settled', 'cleared', 'book', 'comptabilise', 'umsatz gebucht', 'gebucht'],
  pending: ['pending', 'pdng', 'en attente', 'a venir', 'umsatz vorgemerkt', 'vorgemerkt'],
} as const;

/** Returns a name without accents, case and punctuation: `Débit (TND)` becomes `debit tnd`. */
export function comparable(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
