/** An element with its children and values. */
export interface OfxElement {
  readonly name: OfxElementName;
  readonly line: number;
  /** The offset of its first tag in the text. */
  readonly start: number;
  readonly values: ReadonlyMap<string, OfxValue>;
  readonly parts: ReadonlyMap<string, OfxElement>;
}

export interface OfxValue {
  readonly text: string;
  readonly line: number;
  /** The number of joined values, if there are several. */
  readonly count?: number;
}

/**
 * The supported elements, and their possible children. A bank's own elements are skipped, and their content counts as
 * if it stood outside. Below OFX and the message sets they are another kind of answer instead.
 */
export const OFX_ELEMENTS = {
  OFX: ['SIGNONMSGSRSV1', 'BANKMSGSRSV1', 'CREDITCARDMSGSRSV1'],
  SIGNONMSGSRSV1: ['SONRS'],
  SONRS: ['STATUS'],
  STATUS: [],
  BANKMSGSRSV1: ['STMTTRNRS', 'CCSTMTTRNRS', 'STMTRS', 'CCSTMTRS'],
  CREDITCARDMSGSRSV1: ['CCSTMTTRNRS', 'STMTTRNRS', 'CCSTMTRS', 'STMTRS'],
  STMTTRNRS: ['STATUS', 'STMTRS'],
  CCSTMTTRNRS: ['STATUS', 'CCSTMTRS'],
  STMTRS: ['BANKACCTFROM', 'BANKTRANLIST', 'BANKTRANLISTP', 'LEDGERBAL', 'AVAILBAL', 'BALLIST'],
  CCSTMTRS: ['CCACCTFROM', 'BANKTRANLIST', 'BANKTRANLISTP', 'LEDGERBAL', 'AVAILBAL', 'BALLIST'],
  BANKACCTFROM: [],
  CCACCTFROM: [],
  BANKTRANLIST: ['STMTTRN'],
  BANKTRANLISTP: ['STMTTRNP'],
  STMTTRN: ['PAYEE', 'BANKACCTTO', 'CCACCTTO', 'CURRENCY', 'ORIGCURRENCY'],
  STMTTRNP: ['PAYEE', 'BANKACCTTO', 'CCACCTTO', 'CURRENCY', 'ORIGCURRENCY'],
  PAYEE: [],
  BANKACCTTO: [],
  CCACCTTO: [],
  CURRENCY: [],
  ORIGCURRENCY: [],
  LEDGERBAL: [],
  AVAILBAL: [],
  BALLIST: ['BAL'],
  BAL: ['CURRENCY'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type OfxElementName = keyof typeof OFX_ELEMENTS;

/** Below these, an unsupported element is skipped with its whole content. */
export const HOLD_ANSWERS: ReadonlySet<OfxElementName> = new Set(['OFX', 'BANKMSGSRSV1', 'CREDITCARDMSGSRSV1']);

/** Values that may occur several times. Their texts are joined by a blank; then a balance is no amount and is not read. */
export const REPEATABLE_VALUES: ReadonlySet<string> = new Set([
  'NAME',
  'EXTDNAME',
  'MEMO',
  'MESSAGE',
  'CODE',
  'SEVERITY',
  'BALAMT',
  'DTASOF',
]);

/** Values that may occur once in an element, because a second one would be ambiguous. */
export const SINGLE_VALUES: ReadonlySet<string> = new Set([
  ...['CURDEF', 'ACCTID', 'DTSTART', 'DTEND', 'CURSYM'],
  ...['TRNTYPE', 'DTPOSTED', 'DTTRAN', 'DTUSER', 'DTAVAIL', 'TRNAMT', 'FITID', 'CHECKNUM', 'REFNUM'],
  ...['CORRECTFITID', 'CORRECTACTION'],
]);

/**
 * The required parents of values that decide about money. With another parent, the element around it has an unknown
 * name.
 */
export const PLACES_OF_VALUE: ReadonlyMap<string, readonly OfxElementName[]> = new Map([
  ['CURDEF', ['STMTRS', 'CCSTMTRS']],
  ['TRNAMT', ['STMTTRN', 'STMTTRNP']],
  ['CURSYM', ['CURRENCY', 'ORIGCURRENCY']],
]);

/** Balances, which prove nothing without an opening one. A fault in one is no reason to refuse the file. */
export const BALANCES: ReadonlySet<string> = new Set(['LEDGERBAL', 'AVAILBAL']);

export function isOfxElementName(name: string): name is OfxElementName {
  return Object.hasOwn(OFX_ELEMENTS, name);
}

/** Returns the text of a value; empty if it is missing. */
export function valueOf(element: OfxElement | undefined, name: string): string {
  return element?.values.get(name)?.text ?? '';
}
