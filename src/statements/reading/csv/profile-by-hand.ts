import { AppError } from '../../../kernel';
import type { Encoding } from '../decode-text';
import { csvProfileSchema, type CsvProfileText } from '../statement-profile';
import { KNOWN_LABELS } from './known-labels';

/** The columns that a person may name. */
export const HAND_COLUMNS = [
  'bookingDate',
  'valueDate',
  'remittance',
  'counterparty',
  'counterpartyAccount',
  'reference',
  'debit',
  'credit',
  'amount',
  'balance',
  'account',
  'currency',
] as const;
export type HandColumn = (typeof HAND_COLUMNS)[number];

/** How a person says that a file is read. */
export interface HandReading {
  readonly columns: Partial<Record<HandColumn, string | undefined>>;
  readonly encoding: Encoding;
  readonly delimiter: string;
  readonly dateFormat: string;
  readonly decimalSign: ',' | '.';
  readonly order: 'oldest-first' | 'newest-first';
  /** Whether the file states the opening or the closing balance beside a label. */
  readonly statesOpening: boolean;
  readonly statesClosing: boolean;
}

/** Characters that group digits, in exports of banks. */
const GROUPS = [' ', '\u00a0', '\u202f', "'", ',', '.'];

/**
 * Returns the profile of a reading that a person described. Labels around the lines are those that banks usually write.
 *
 * @throws AppError `bad_input` that names the field.
 */
export function profileByHand(given: HandReading, currency: string | undefined): CsvProfileText {
  const { columns, decimalSign, statesOpening, statesClosing, ...form } = given;
  const named = Object.entries(columns).filter(([, name]) => name !== undefined && name !== '');
  const isInColumn = (columns.currency ?? '') !== '';
  const twoColumns = (columns.debit ?? '') !== '';
  const text = {
    name: 'proposed',
    description: `made by hand for columns ${named.map(([, name]) => name).join(', ')}`.slice(0, 500),
    format: 'csv' as const,
    ...form,
    columns: Object.fromEntries(named) as CsvProfileText['columns'],
    decimalSign,
    thousandsSeparators: GROUPS.filter((each) => each !== decimalSign),
    ...(currency === undefined || isInColumn ? {} : { currency: { fixed: currency } }),
    ...(statesOpening ? { opening: { label: KNOWN_LABELS.opening } } : {}),
    ...(statesClosing ? { closing: { label: KNOWN_LABELS.closing } } : {}),
    ...(twoColumns ? { totals: { label: KNOWN_LABELS.totals } } : {}),
    otherRows: [
      ...(twoColumns ? [] : [KNOWN_LABELS.totals]),
      ...(statesOpening ? [] : [KNOWN_LABELS.opening]),
      ...(statesClosing ? [] : [KNOWN_LABELS.closing]),
      KNOWN_LABELS.other,
    ],
  };
  const parsed = csvProfileSchema.safeParse(text);
  if (parsed.success) return text;
  const [issue] = parsed.error.issues;
  const [part = '', field] = issue?.path ?? [];
  throw new AppError('bad_input', {
    field: String(field ?? part),
    fault: issue?.message ?? 'cannot be read',
    fix: 'check the columns',
  });
}
