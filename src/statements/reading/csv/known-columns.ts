import { foldText } from '../../../kernel';

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
    french: [
      'date comptable',
      'date de comptabilisation',
      'date d operation',
      'date de l operation',
      'date operation',
      'date op',
      'date ope',
      'date oper',
      'date d ope',
      'date mouvement',
      'date du mouvement',
      'date de mouvement',
      'date mvt',
      'date transaction',
      'date de transaction',
      'date de la transaction',
      'date',
    ],
    german: ['buchungstag', 'buchungsdatum', 'buchung', 'datum'],
    arabic: ['تاريخ العملية', 'التاريخ', 'تاريخ'],
  },
  valueDate: {
    english: ['value date', 'date value'],
    french: ['date de valeur', 'date valeur', 'date val', 'date d effet', 'valeur'],
    german: ['valutadatum', 'wertstellung', 'wertstellungsdatum', 'wertstellungstag', 'valuta'],
    arabic: ['تاريخ القيمة', 'تاريخ الاستحقاق', 'تاريخ النفاذ'],
  },
  remittance: {
    english: ['description', 'details', 'narrative', 'remittance information', 'transaction description', 'memo'],
    french: [
      'libelle',
      'libelle operation',
      'libelle de l operation',
      'libelle d operation',
      'libelle du mouvement',
      'libelle mouvement',
      'libelle ecriture',
      'libelles',
      'designation',
      'designation de l operation',
      'designation operation',
      'description',
      'description de l operation',
      'description operation',
      'intitule',
      'nature de l operation',
      'nature d operation',
      'nature operation',
      'nature des operations',
      'motif',
      'details',
      'detail',
      'detail operation',
      'detail de l operation',
      'details de l operation',
      'operation',
      'operations',
      'nature',
    ],
    german: ['verwendungszweck', 'buchungsdetails', 'buchungstext'],
    arabic: ['البيان', 'الوصف', 'بيان', 'بيان العملية', 'العملية', 'التفاصيل'],
  },
  counterparty: {
    english: (
      'counterparty|counterparty name|payee|payee name|beneficiary|beneficiary name|recipient|sender|payer|remitter|' +
      'partner|merchant|supplier|vendor|creditor|debtor|name'
    ).split('|'),
    french: (
      'contrepartie|nom contrepartie|donneur d ordre|donneur d ordre beneficiaire|beneficiaire|nom beneficiaire|' +
      'nom du beneficiaire|destinataire|emetteur|emetteur beneficiaire|expediteur|fournisseur|correspondant|tiers|nom du tiers'
    ).split('|'),
    german: (
      'beguenstigter zahlungspflichtiger|auftraggeber empfanger|empfanger|auftraggeber|begunstigter|zahlungspflichtiger|' +
      'name zahlungsbeteiligter'
    ).split('|'),
    arabic: ['المستفيد', 'اسم المستفيد', 'الآمر بالدفع', 'الطرف المقابل', 'المزود'],
  },
  counterpartyAccount: {
    english: ['counterparty account', 'counterparty iban', 'beneficiary account'],
    french: ['compte contrepartie', 'iban contrepartie', 'compte beneficiaire'],
    german: ['kontonummer iban', 'iban zahlungsbeteiligter', 'gegenkonto'],
  },
  reference: {
    english: ['bank reference', 'transaction reference', 'transaction id', 'reference', 'ref'],
    french: [
      'reference operation',
      'reference de l operation',
      'reference',
      'references',
      'ref',
      'ref operation',
      'numero d operation',
      'numero operation',
      'num operation',
      'n operation',
      'n d operation',
      'n piece',
      'numero de piece',
      'piece',
    ],
    german: ['referenz', 'bankreferenz'],
    arabic: ['المرجع', 'مرجع'],
  },
  endToEndId: {
    english: ['end to end id', 'end to end reference', 'endtoendid'],
    french: ['reference de bout en bout'],
    german: ['kundenreferenz end to end', 'end to end referenz'],
  },
  transactionCode: {
    english: ['transaction type', 'transaction code'],
    french: ['type d operation', 'type operation', 'code operation', 'code ope'],
    german: ['buchungstext'],
  },
  debit: {
    english: ['debit', 'debit amount', 'amount debit', 'withdrawal', 'withdrawals', 'paid out', 'money out'],
    french: [
      'debit',
      'montant debit',
      'montant debiteur',
      'montant au debit',
      'montant du debit',
      'mouvement debit',
      'mouvement debiteur',
      'mouvements debit',
      'mouvements debiteurs',
      'mouvements au debit',
      'mvt debit',
      'debiteur',
      'debits',
    ],
    german: ['soll', 'belastung'],
    arabic: ['مدين', 'المدين', 'المبلغ المدين'],
  },
  credit: {
    english: ['credit', 'credit amount', 'amount credit', 'deposit', 'deposits', 'paid in', 'money in'],
    french: [
      'credit',
      'montant credit',
      'montant crediteur',
      'montant au credit',
      'montant du credit',
      'mouvement credit',
      'mouvement crediteur',
      'mouvements credit',
      'mouvements crediteurs',
      'mouvements au credit',
      'mvt credit',
      'crediteur',
      'credits',
    ],
    german: ['haben', 'gutschrift'],
    arabic: ['دائن', 'الدائن', 'المبلغ الدائن'],
  },
  amount: {
    english: ['amount', 'transaction amount'],
    french: ['montant', 'montant operation', 'montant de l operation', 'montant du mouvement', 'montant mouvement'],
    german: ['betrag', 'umsatz'],
    arabic: ['المبلغ', 'مبلغ'],
  },
  direction: {
    english: ['debit credit', 'credit debit', 'd c', 'c d', 'dr cr', 'cr dr', 'credit debit indicator', 'direction'],
    french: ['sens', 'debit credit', 'sens operation'],
    german: ['soll haben', 's h', 'soll haben kennzeichen'],
  },
  balance: {
    english: ['balance', 'running balance', 'balance after', 'account balance'],
    french: [
      'solde',
      'solde courant',
      'solde progressif',
      'solde cumule',
      'solde comptable',
      'solde apres operation',
      'solde apres l operation',
      'solde apres mouvement',
      'nouveau solde',
    ],
    german: ['saldo', 'kontostand', 'saldo nach buchung'],
    arabic: ['الرصيد', 'رصيد'],
  },
  account: {
    english: ['account', 'account number', 'account iban', 'account no', 'iban'],
    french: ['compte', 'numero de compte', 'numero compte', 'num compte', 'n compte', 'n de compte', 'rib', 'iban'],
    german: ['konto', 'kontonummer', 'iban'],
    arabic: ['رقم الحساب', 'الحساب', 'حساب', 'الحساب البنكي', 'رقم الحساب البنكي', 'الهوية البنكية', 'المعرف البنكي'],
  },
  currency: {
    english: ['currency', 'ccy', 'currency code'],
    french: ['devise', 'monnaie', 'code devise', 'devise du compte', 'unite monetaire'],
    german: ['wahrung', 'waehrung'],
    arabic: ['العملة', 'عملة', 'نوع العملة', 'عملة الحساب'],
  },
  status: {
    english: ['status', 'state', 'booking status', 'transaction status'],
    french: ['statut', 'etat'],
    german: ['info', 'status'],
  },
};

/** Returns a name without accents, case and punctuation: `Débit (TND)` becomes `debit tnd`. */
export function comparable(text: string): string {
  return foldText(text.replaceAll('ß', 'ss'));
}
