import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** What a reported file must give. */
export interface ReportedFile {
  readonly path: string;
  readonly want: 'right' | 'right-or-refuse' | 'refuse' | 'other';
  readonly credits?: string;
  readonly debits?: string;
  readonly entries?: number;
  /** The end of the own account, or that it is none of the payees’. */
  readonly account?: '4202' | 'not-a-payee';
  readonly currency?: string;
}

const FOLDER = join(__dirname, '..', '..', '..', '..', 'shared', 'samples', 'statements-2');
const EXPECTED = join(FOLDER, 'expected.json');

/** A label or a column that names the account or the currency to a person. */
const NAMES_ACCOUNT = /^(?:Compte|رقم الحساب)[;,]/m;
const NAMES_CURRENCY = /^(?:Devise|العملة)[;,]|"Waehrung"|,Currency,/m;

/** The reported files beside this repository; none where they are not there, and then the run says so. */
export function reportedFiles(): ReportedFile[] {
  if (!existsSync(EXPECTED)) {
    process.stdout.write(
      'The reported files are skipped: ../shared/samples/statements-2 is not beside this repository\n',
    );
    return [];
  }
  const expected = JSON.parse(readFileSync(EXPECTED, 'utf8')) as Record<string, Omit<ReportedFile, 'path'>>;
  return Object.entries(expected).map(([path, file]) => ({ ...file, path }));
}

export function reportedBytes(path: string): Buffer {
  return readFileSync(join(FOLDER, path));
}

/** What a person gives for a file: what it does not name, and the unit where it has to be asked. */
export interface Given {
  readonly profile?: 'proposed';
  readonly account?: string;
  readonly currency?: string;
  readonly unit?: 'millimes';
}

export function givenFor(path: string): Given {
  if (!['.csv', '.xls', '.xlsx'].includes(extname(path))) return {};
  const text = reportedBytes(path).toString();
  return {
    profile: 'proposed',
    ...(NAMES_ACCOUNT.test(text) ? {} : { account: 'TN5910006035183598478831' }),
    ...(NAMES_CURRENCY.test(text) ? {} : { currency: 'TND' }),
    ...(path.startsWith('59/') ? { unit: 'millimes' } : {}),
    // Its one booked line has no sign, and the balance beside it proves none.
    ...(path === '54/csv_pending.csv' ? { unmarked: 'credit' } : {}),
  };
}
