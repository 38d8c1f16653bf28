export interface OfxGiven {
  readonly header?: string;
  readonly account?: string;
  readonly transactions?: string;
  readonly balance?: string;
  readonly until?: string;
  readonly more?: string;
}

/** A file of version 1; its transactions start on line 17 where there are two lines of headers of one's own. */
export function ofxFile(given: OfxGiven): string {
  const header = given.header ?? 'ENCODING:USASCII\nCHARSET:1252';
  const signOn = '<SIGNONMSGSRSV1><SONRS>\n<STATUS><CODE>0<SEVERITY>INFO</STATUS>\n</SONRS></SIGNONMSGSRSV1>';
  return `OFXHEADER:100\nDATA:OFXSGML\n${header}\n\n<OFX>\n${signOn}\n<BANKMSGSRSV1>${statementOf(given)}</BANKMSGSRSV1>\n</OFX>\n`;
}

/** The answer with one statement. */
export function statementOf({ account, transactions, balance, until, more }: OfxGiven): string {
  return (
    `<STMTTRNRS>\n<STMTRS>\n<CURDEF>TND\n<BANKACCTFROM>\n<BANKID>08<ACCTID>${account ?? '0801 12345'}</BANKACCTFROM>\n<BANKTRANLIST><DTSTART>20260301\n` +
    `<DTEND>${until ?? '20260331'}\n${transactions ?? ''}\n</BANKTRANLIST>\n<LEDGERBAL><BALAMT>${balance ?? '987.650'}<DTASOF>20260331</LEDGERBAL>\n` +
    `${more ?? ''}</STMTRS></STMTTRNRS>`
  );
}

/** A card in euros, without a balance. */
export function cardFile(transactions: string): string {
  return (
    '<OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>EUR<CCACCTFROM><ACCTID>4111</CCACCTFROM>' +
    `<BANKTRANLIST>${transactions}</BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>`
  );
}
