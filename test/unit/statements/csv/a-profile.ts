import { isAppError } from '../../../../src/kernel';
import type { StatementProfile } from '../../../../src/statements';
import {
  createCsvReader,
  csvProfileSchema,
  type CsvProfileText,
  type GivenForm,
  proposeProfile,
  undecidedIn,
} from '../../../../src/statements/testing';
import { answering } from '../../../support/answering';
import { type ReadStatement, readStatements } from '../../../support/read-events';

export const HEADER = 'Date;Libellé;Débit;Crédit;Solde';

/** A profile for files with the header above, in dinars. */
export function aProfile(more: Partial<CsvProfileText> = {}): StatementProfile {
  return csvProfileSchema.parse({
    name: 'test',
    description: 'debits and credits, with the running balance',
    encoding: 'utf-8',
    delimiter: ';',
    currency: { fixed: 'TND' },
    columns: { bookingDate: 'Date', remittance: 'Libellé', debit: 'Débit', credit: 'Crédit', balance: 'Solde' },
    dateFormat: 'dd/mm/yyyy',
    decimalSign: ',',
    ...more,
  });
}

export function readRows(rows: readonly string[], profile: StatementProfile): ReadStatement {
  const bytes = Buffer.from([...rows, ''].join('\n'));
  const [found, ...others] = readStatements(createCsvReader({ profile, account: undefined }), bytes);
  if (found === undefined || others.length > 0) throw new Error('a CSV file is one statement');
  return found;
}

/** Returns the profile proposed for a file, whose bare amounts are credits. @throws AppError `bad_input` if it has an open choice. */
export function decidedProfile(bytes: Uint8Array, given: GivenForm = {}): StatementProfile {
  return answering(given, (answered) => {
    const proposed = proposeProfile(bytes, answered);
    const [open] = undecidedIn(proposed);
    if (open !== undefined) throw open;
    return proposed.profile;
  });
}

/** Reads rows by the profile that is proposed for them. */
export function readProposedRows(rows: readonly string[]): ReadStatement {
  return readRows(rows, decidedProfile(Buffer.from([...rows, ''].join('\n'))));
}

/** What is wrong, as a person sees it. */
export function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isAppError(error, 'bad_input')) return [error.message, ...error.details].join('\n');
    throw error;
  }
  return 'nothing was refused';
}
