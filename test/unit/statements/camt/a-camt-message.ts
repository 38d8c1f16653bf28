/** Small messages of camt for the tests: each part may be replaced by what a test is about. */

export const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:';
export const ACCOUNT = 'TN5910006035183598478831';

export interface MessageParts {
  readonly declaration?: string;
  readonly message?: string;
  readonly header?: string;
  readonly account?: string;
  readonly balances?: string;
  readonly entries?: string;
}

const KINDS: Readonly<Record<string, readonly [string, string]>> = {
  '052': ['BkToCstmrAcctRpt', 'Rpt'],
  '053': ['BkToCstmrStmt', 'Stmt'],
  '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
};

export function aMessage(parts: MessageParts = {}): string {
  const message = parts.message ?? 'camt.053.001.08';
  const [outer, inner] = KINDS[message.slice(5, 8)] ?? ['BkToCstmrStmt', 'Stmt'];
  return [
    parts.declaration ?? '<?xml version="1.0" encoding="UTF-8"?>',
    `<Document xmlns="${NAMESPACE}${message}">`,
    `<${outer}><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-02-03T01:00:00</CreDtTm></GrpHdr>`,
    `<${inner}><Id>S1</Id>${parts.header ?? '<ElctrncSeqNb>31</ElctrncSeqNb>'}`,
    parts.account ?? `<Acct><Id><IBAN>${ACCOUNT}</IBAN></Id><Ccy>TND</Ccy></Acct>`,
    parts.balances ?? aBalance('OPBD', '100.000') + aBalance('CLBD', '112.500'),
    parts.entries ?? anEntry(),
    `</${inner}></${outer}>`,
    '</Document>',
    '',
  ].join('\n');
}

export function aBalance(type: string, amount: string, side = '<CdtDbtInd>CRDT</CdtDbtInd>', currency = 'TND'): string {
  return (
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount}</Amt>${side}` +
    '<Dt><Dt>2026-02-01</Dt></Dt></Bal>'
  );
}

export interface EntryParts {
  readonly amount?: string;
  readonly side?: string;
  readonly status?: string;
  readonly dates?: string;
  readonly rest?: string;
}

export function anEntry(parts: EntryParts = {}): string {
  return (
    `<Ntry>${parts.amount ?? '<Amt Ccy="TND">12.500</Amt>'}${parts.side ?? '<CdtDbtInd>CRDT</CdtDbtInd>'}` +
    (parts.status ?? '<Sts><Cd>BOOK</Cd></Sts>') +
    (parts.dates ?? '<BookgDt><Dt>2026-02-02</Dt></BookgDt><ValDt><DtTm>2026-02-03T00:30:00+01:00</DtTm></ValDt>') +
    `${parts.rest ?? '<AcctSvcrRef>REF1</AcctSvcrRef>'}</Ntry>`
  );
}
