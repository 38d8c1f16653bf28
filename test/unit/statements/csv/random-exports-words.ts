/** What the banks of a language call things, in names that every importer of their exports knows. */
export interface BankWords {
  readonly date: readonly string[];
  readonly valueDate: readonly string[];
  readonly text: readonly string[];
  readonly debit: readonly string[];
  readonly credit: readonly string[];
  readonly amount: readonly string[];
  readonly balance: readonly string[];
  readonly reference: readonly string[];
  readonly payee: readonly string[];
  readonly accountLabel: readonly string[];
  readonly accountColumn: readonly string[];
  readonly currency: readonly string[];
  readonly opening: readonly string[];
  readonly closing: readonly string[];
  readonly totals: string;
  readonly state: string;
  readonly booked: string;
  readonly pending: string;
  readonly direction: readonly [heading: string, debit: string, credit: string];
  readonly texts: readonly string[];
  readonly decimalSign: ',' | '.';
  readonly groups: readonly string[];
  readonly dates: readonly string[];
  readonly encodings: readonly string[];
}

const FRENCH: BankWords = {
  date: ['Date opération', "Date d'opération", 'Date', 'Date comptable'],
  valueDate: ['Date valeur', 'Date de valeur'],
  text: ['Libellé', 'Libellé opération', 'Désignation', "Nature de l'opération"],
  debit: ['Débit', 'Montant débit', 'Débit (TND)'],
  credit: ['Crédit', 'Montant crédit', 'Crédit (TND)'],
  amount: ['Montant', "Montant de l'opération"],
  balance: ['Solde', 'Solde progressif'],
  reference: ['Référence', 'N° pièce'],
  payee: ['Bénéficiaire', 'Contrepartie', "Donneur d'ordre", 'Tiers'],
  accountLabel: ['RIB', 'Compte', 'N° de compte'],
  accountColumn: ['Compte', 'RIB', 'Numéro de compte', 'N° compte', 'IBAN'],
  currency: ['Devise', 'Monnaie'],
  opening: ['Solde initial', 'Ancien solde', 'Solde précédent'],
  closing: ['Solde final', 'Nouveau solde'],
  totals: 'Totaux',
  ...{ state: 'Statut', booked: 'Comptabilisé', pending: 'En attente' },
  direction: ['Sens', 'D', 'C'],
  texts: ['VIREMENT STE ÉTOILE', 'CHEQUE N° 7', 'FRAIS DE TENUE', 'PRÉLÈVEMENT 12/03', 'REMISE TPE 0031', 'AGIOS'],
  ...{ decimalSign: ',', groups: [' ', '', '.', '\u00a0'], dates: ['dd/mm/yyyy', 'dd-mm-yyyy', 'yyyy-mm-dd'] },
  encodings: ['utf-8', 'windows-1252'],
};

const ENGLISH: BankWords = {
  date: ['Date', 'Booking Date', 'Transaction Date'],
  valueDate: ['Value Date'],
  text: ['Description', 'Details', 'Narrative'],
  debit: ['Debit', 'Withdrawals', 'Paid out'],
  credit: ['Credit', 'Deposits', 'Paid in'],
  amount: ['Amount', 'Transaction amount'],
  balance: ['Balance', 'Running balance'],
  reference: ['Reference', 'Transaction ID'],
  payee: ['Payee', 'Beneficiary', 'Counterparty'],
  accountLabel: ['Account', 'IBAN'],
  accountColumn: ['Account', 'Account number', 'IBAN'],
  currency: ['Currency'],
  opening: ['Opening balance'],
  closing: ['Closing balance'],
  totals: 'Totals',
  ...{ state: 'Status', booked: 'Booked', pending: 'Pending' },
  direction: ['Debit/Credit', 'DR', 'CR'],
  texts: ['TRANSFER FROM STAR LTD', 'CHEQUE 7', 'MONTHLY FEE', 'DIRECT DEBIT 12/03', 'CARD 0031', 'INTEREST'],
  ...{ decimalSign: '.', groups: ['', ','], dates: ['yyyy-mm-dd'] },
  encodings: ['utf-8', 'windows-1252'],
};

const GERMAN: BankWords = {
  date: ['Buchungstag', 'Buchungsdatum', 'Datum'],
  valueDate: ['Valuta', 'Wertstellung'],
  text: ['Verwendungszweck'],
  debit: ['Soll'],
  credit: ['Haben'],
  amount: ['Betrag', 'Umsatz'],
  balance: ['Saldo', 'Kontostand'],
  reference: ['Referenz'],
  payee: ['Empfänger'],
  accountLabel: ['Konto', 'IBAN'],
  accountColumn: ['Konto', 'Kontonummer', 'IBAN'],
  currency: ['Währung'],
  opening: ['Anfangssaldo'],
  closing: ['Endsaldo'],
  totals: 'Summe',
  ...{ state: 'Info', booked: 'Umsatz gebucht', pending: 'Umsatz vorgemerkt' },
  direction: ['Soll/Haben', 'S', 'H'],
  texts: ['ÜBERWEISUNG STERN GMBH', 'SCHECK 7', 'KONTOFÜHRUNG', 'LASTSCHRIFT 12.03.', 'KARTE 0031', 'ZINSEN'],
  ...{ decimalSign: ',', groups: ['.', ''], dates: ['dd.mm.yyyy'] },
  encodings: ['utf-8', 'windows-1252'],
};

const ARABIC: BankWords = {
  date: ['التاريخ', 'تاريخ العملية'],
  valueDate: ['تاريخ القيمة'],
  text: ['البيان', 'التفاصيل'],
  debit: ['مدين'],
  credit: ['دائن'],
  amount: ['المبلغ'],
  balance: ['الرصيد'],
  reference: ['المرجع'],
  payee: ['المستفيد'],
  accountLabel: ['رقم الحساب', 'الحساب'],
  accountColumn: ['رقم الحساب', 'الحساب'],
  currency: ['العملة'],
  opening: ['الرصيد الافتتاحي', 'الرصيد السابق'],
  closing: ['الرصيد الختامي', 'الرصيد النهائي'],
  totals: 'المجموع',
  ...{ state: 'Statut', booked: 'Comptabilisé', pending: 'En attente' },
  direction: ['Sens', 'مدين', 'دائن'],
  texts: ['تحويل شركة النجم', 'صك 7', 'مصاريف', 'اقتطاع', 'بطاقة 0031', 'فوائد'],
  ...{ decimalSign: ',', groups: ['', ' '], dates: ['dd/mm/yyyy', 'yyyy-mm-dd'] },
  encodings: ['utf-8', 'windows-1256'],
};

export const LANGUAGES: readonly BankWords[] = [FRENCH, FRENCH, ENGLISH, GERMAN, ARABIC];

/** A heading, the words of debits, the words of credits. No list of an importer has all of them. */
export const OTHER_DIRECTIONS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['Flux', ['Décaissement'], ['Encaissement']],
  ['Type', ['Retrait'], ['Versement']],
  ['Type', ['Withdrawal'], ['Deposit']],
  ['Type', ['Achat'], ['Paiement reçu']],
  ['Type', ['Emis'], ['Reçu']],
  ['Type', ['DBT'], ['CDT']],
  ['Type', ['Débit (sortie)'], ['Crédit (entrée)']],
  ['Signe', ['-'], ['+']],
  ['Code', ['1'], ['2']],
  ['Sens', ['Sortie'], ['Entrée']],
  ['Sens', ['-1'], ['1']],
  ['Af Bij', ['Af'], ['Bij']],
  ['In/Out', ['OUT'], ['IN']],
  ['Mouvement', ['S'], ['E']],
  ['Art', ['Ausgang'], ['Eingang']],
  ['نوع العملية', ['سحب'], ['إيداع']],
  ['Nature', ['Débit carte', 'Débit chèque'], ['Crédit virement']],
  ['Opération', ['PRLV', 'CHQ', 'RET'], ['VIR', 'REM']],
];

/** The codes of operations, from which only a person of the bank knows where the money went. */
export const OPERATION_CODES = {
  heading: 'Code opération',
  debits: ['CHQ', 'RET', 'PRL'],
  credits: ['VIRRECU', 'VRS'],
};

/** A heading, the words of booked rows, the words of rows that moved no money. */
export const OTHER_STATES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['Situation', ['Exécuté'], ['Rejeté']],
  ['Statut', ['Exécuté'], ['Rejeté', 'Annulé']],
  ['Statut opération', ['Exécutée'], ['Rejetée']],
  ['Suivi', ['Payé'], ['Impayé']],
  ['Résultat', ['SUCCES'], ['ECHEC']],
  ['Etat', ['Validé'], ['En cours']],
  ['State', ['Done'], ['Failed', 'Returned']],
  ['Outcome', ['OK'], ['KO']],
  ['Ergebnis', ['ausgeführt'], ['storniert']],
  ['Code état', ['1'], ['9']],
  ['الحالة', ['منفذة'], ['مرفوضة']],
];

/** A heading and the word beside a cancelled row, whose cell is empty on every other row. */
export const CANCELLED = [
  ['Extourne', 'O'],
  ['Annulation', 'Oui'],
  ['Reversed', 'Y'],
] as const;

export const OTHER_CURRENCY_HEADINGS = [
  'Dev.',
  'DEV',
  'Cur',
  'Currency of transaction',
  'Monnaie transaction',
  'Dev cpte',
];
export const OTHER_ACCOUNT_HEADINGS = [
  'Cpte',
  'Compte concerné',
  'Compte client',
  'Relevé',
  'Own account',
  'الحساب المعني',
];
export const OTHER_BALANCE_HEADINGS = ['Position', 'Encours', 'Avoir net'];
export const FEE_HEADINGS = ['Frais', 'Commission', 'Commission HT', 'Com.', 'Fee', 'Charges', 'Gebühr', 'عمولة'];
export const NET_HEADINGS = ['Montant net', 'Net', 'Net amount', 'Net à créditer'];
export const MILLIMES_LABELS: readonly (readonly string[])[] = [
  ['Montants exprimés en millimes'],
  ['Unité', 'millime'],
  ['Unité : millimes'],
  ['(en millimes)'],
];
export const THOUSANDS_LABELS: readonly (readonly string[])[] = [
  ['Montants en milliers de dinars'],
  ['Unité', 'mille dinars'],
  ['Amounts in thousands'],
];
