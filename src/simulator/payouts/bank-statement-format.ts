import type { BankStatement } from './bank-statement';
import { bankStatementCamt053 } from './bank-statement-camt053';
import { bankStatementBytes } from './bank-statement-csv';
import { bankStatementMt940 } from './bank-statement-mt940';

/** csv: the shipped profile `releve-fr-tn`, in windows-1252. camt053: camt.053.001.08. mt940: as banks send it to customers. */
export const BANK_STATEMENT_FORMATS = ['csv', 'camt053', 'mt940'] as const;

export type BankStatementFormat = (typeof BANK_STATEMENT_FORMATS)[number];

export interface BankStatementFile {
  readonly contentType: string;
  readonly bytes: string | Uint8Array;
}

export function bankStatementFile(statement: BankStatement, format: BankStatementFormat): BankStatementFile {
  switch (format) {
    case 'csv':
      return { contentType: 'text/csv; charset=windows-1252', bytes: bankStatementBytes(statement) };
    case 'camt053':
      return { contentType: 'application/xml; charset=utf-8', bytes: bankStatementCamt053(statement) };
    case 'mt940':
      return { contentType: 'text/plain; charset=us-ascii', bytes: bankStatementMt940(statement) };
  }
}
