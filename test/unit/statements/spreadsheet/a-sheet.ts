import { isAppError } from '../../../../src/kernel';
import { bankFileOfBytes, decimalText, type ParsedLine, type ParsedStatement } from '../../../../src/statements';
import type { ReadOptions } from '../../../../src/statements/reading/choose-reader';
import { loadProfiles } from '../../../../src/statements/reading/load-profiles';
import { scanBankFile } from '../../../../src/statements/testing';
import { SHIPPED_PROFILES_FILE } from '../../../fixtures/statements/statement-bytes';
import { answering } from '../../../support/answering';
import { type GivenCell, type GivenWorkbook, styled, xlsxFile } from '../../../support/xlsx-file';

export const PROFILES = loadProfiles(SHIPPED_PROFILES_FILE);
/** The styles of `statementRows`: General, an amount, a date, an amount with two decimals, text. */
export const FORMATS = [0, '#,##0.000', 'dd/mm/yyyy', '#,##0.00', '@'];
export const AMOUNT = 1;
export const DAY = 2;
export const CENTS = 3;
export const TEXT = 4;

const HEADER = ['Date', 'Libellé', 'Débit', 'Crédit', 'Référence'];

/** 2 April 2026 as a serial number. */
export const APRIL_2 = 46_114;

/** A statement of three lines, from 100,000 to 1 334,567. */
export function statementRows(lines: readonly (readonly GivenCell[])[] = LINES): (readonly GivenCell[])[] {
  return [
    ['RIB', '08006012345678901231'],
    ['Devise', 'TND'],
    ['Solde initial', styled(100, AMOUNT)],
    [],
    HEADER,
    ...lines,
    ['Solde final', styled('1334.567', AMOUNT)],
  ];
}

export const LINES: readonly (readonly GivenCell[])[] = [
  [styled(APRIL_2, DAY), 'VIREMENT; RECU', undefined, styled('1234.5670000000001', AMOUNT), 'R1'],
  [styled(APRIL_2 + 1, DAY), 'COMMISSION', styled('5.95', AMOUNT), undefined, '00012'],
  [styled(APRIL_2 + 2, DAY), 'VERSEMENT\nESPECES', undefined, styled('5.95', AMOUNT), 'R3'],
];

export function workbook(given: Partial<GivenWorkbook> = {}): Buffer {
  return xlsxFile({ sheets: [{ rows: statementRows() }], formats: FORMATS, ...given });
}

/** A workbook whose first line has another cell. */
export function withAmount(cell: GivenCell, formats: readonly (string | number)[] = FORMATS): Buffer {
  const [first = [], ...others] = LINES;
  return workbook({ sheets: [{ rows: statementRows([[...first.slice(0, 3), cell, 'R1'], ...others]) }], formats });
}

export interface ReadSheet {
  readonly verdict: string;
  readonly statement: ParsedStatement;
  readonly lines: readonly ParsedLine[];
  readonly shapes: readonly string[];
}

/** Reads a file as an import does. */
export function readSheet(bytes: Buffer, options: ReadOptions = {}): ReadSheet {
  const file = bankFileOfBytes('file.xlsx', bytes);
  const { statements } = answering(options, (given) => scanBankFile(file, { ...options, ...given }, PROFILES));
  const [only, ...others] = statements;
  if (only === undefined || others.length > 0) throw new Error('expected one statement');
  return {
    verdict: only.proof.verdict,
    statement: only.parsed,
    lines: only.preview,
    shapes: only.preview.map(({ bookingDate, amount, remittance, bankReference }) =>
      [bookingDate, decimalText(amount), remittance, bankReference].join('|'),
    ),
  };
}

/** What is wrong, as a person sees it. */
export function faultOf(bytes: Buffer, options: ReadOptions = {}): string {
  try {
    scanBankFile(bankFileOfBytes('file.xlsx', bytes), options, PROFILES);
  } catch (error) {
    if (isAppError(error, 'bad_input')) return [error.message, ...error.details].join('\n');
    throw error;
  }
  throw new Error('nothing was refused');
}
