/** An element that holds others, with what was found in it. */
export interface OfxElement {
  readonly name: OfxElementName;
  readonly line: number;
  /** Where its first tag starts in the text. */
  readonly start: number;
  readonly values: ReadonlyMap<string, OfxValue>;
  readonly parts: ReadonlyMap<string, OfxElement>;
}

export interface OfxValue {
  readonly text: string;
  readonly line: number;
  /** How many values it was joined from, when more than one. */
  readonly count?: number;
}

/**
 * The elements that are read, and those that may stand in each. What a bank adds of its own is passed over, and what it
 * holds is taken as if it stood outside, except below OFX and the message sets, where it is another kind of answer.
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

/** Below these, an element that is not read is passed over with all that it holds. */
export const HOLD_ANSWERS: ReadonlySet<OfxElementName> = new Set(['OFX', 'BANKMSGSRSV1', 'CREDITCARDMSGSRSV1']);

/** What may be there more than once: the texts are joined by a blank. */
export const REPEATABLE_VALUES: ReadonlySet<string> = new Set([
  'NAME',
  'EXTDNAME',
  'MEMO',
  'MESSAGE',
  'CODE',
  'SEVERITY',
]);

/** What is read once for each element: a second one leaves open which one is meant. */
export const SINGLE_VALUES: ReadonlySet<string> = new Set([
  ...['CURDEF', 'ACCTID', 'DTSTART', 'DTEND', 'BALAMT', 'DTASOF', 'CURSYM'],
  ...['TRNTYPE', 'DTPOSTED', 'DTTRAN', 'DTUSER', 'DTAVAIL', 'TRNAMT', 'FITID', 'CHECKNUM', 'REFNUM'],
  ...['CORRECTFITID', 'CORRECTACTION'],
]);

/** Where what decides about money must stand: elsewhere, the element around it has an unknown name. */
export const PLACES_OF_VALUE: ReadonlyMap<string, readonly OfxElementName[]> = new Map([
  ['CURDEF', ['STMTRS', 'CCSTMTRS']],
  ['TRNAMT', ['STMTTRN', 'STMTTRNP']],
  ['CURSYM', ['CURRENCY', 'ORIGCURRENCY']],
  ['BALAMT', ['LEDGERBAL', 'AVAILBAL']],
]);

export function isOfxElementName(name: string): name is OfxElementName {
  return Object.hasOwn(OFX_ELEMENTS, name);
}

/** The text of a value; empty when it is not there. */
export function valueOf(element: OfxElement | undefined, name: string): string {
  return element?.values.get(name)?.text ?? '';
}
