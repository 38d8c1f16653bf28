import { z } from 'zod';
import { accountKey, AppError } from '../../kernel';
import { COLUMN_KINDS } from './csv/column-kinds';
import { exponentOf } from './currencies';
import { isDateFormat } from './date-text';
import { ENCODINGS } from './decode-text';

/** Limited to the width of the columns `profile` and `format`. */
export const PROFILE_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

const pattern = z.string().transform((source, context) => {
  try {
    return new RegExp(source, 'iu');
  } catch {
    context.addIssue({ code: 'custom', message: `is not a regular expression: ${source}` });
    return z.NEVER;
  }
});

const HEADINGS_MAX = 1_000;
const HEADING_CHARACTERS_MAX = 500;

const columnName = z.string().trim().min(1).max(200);
const words = z.array(z.string().trim().min(1).max(200)).max(50);

/**
 * A value beside a label in the rows around the lines. It is group 1 of the label's pattern if it has one, otherwise
 * the cell with the given number (the first is 1), otherwise the first filled cell after the label.
 */
const labeled = z.strictObject({
  label: pattern.describe('a regular expression on the label; its group 1, if it has one, is the value'),
  cell: z
    .int()
    .min(1)
    .max(200)
    .optional()
    .describe('the number of the cell with the value (default: the next filled one)'),
});
const fixedOrLabeled = z.union([
  z.strictObject({ fixed: z.string().min(1).describe('the value, for each file') }),
  labeled,
]);
const currencyCode = z
  .string()
  .refine((code) => exponentOf(code.trim().toUpperCase()) !== undefined, 'must be a currency of ISO 4217, such as TND');
const fixedOrLabeledCurrency = z.union([
  z.strictObject({ fixed: currencyCode.describe('the value, for each file') }),
  labeled,
]);

const columns = z
  .strictObject({
    bookingDate: columnName.describe('the day on which the bank booked the line'),
    valueDate: columnName.optional().describe('the value date'),
    remittance: columnName.describe('the text of the line'),
    counterparty: columnName.optional().describe('the name of the other side'),
    counterpartyAccount: columnName.optional().describe('the account of the other side'),
    reference: columnName.optional().describe("the bank's own reference of the booking"),
    endToEndId: columnName.optional().describe('the reference that the payer chose'),
    transactionCode: columnName.optional().describe('the word of the bank for the kind of booking'),
    debit: columnName.optional().describe('the debits, with `credit`'),
    credit: columnName.optional().describe('the credits, with `debit`'),
    amount: columnName
      .optional()
      .describe('debits and credits in one column; a debit has a minus, or `direction` shows it'),
    direction: z
      .strictObject({
        column: columnName.describe('the column with the words'),
        debit: words.min(1).describe('the words of a debit'),
        credit: words.min(1).describe('the words of a credit'),
      })
      .optional()
      .describe(
        'words that show whether an amount without a sign is a debit or a credit; beside `debit` and `credit`, ' +
          'whether the balance is',
      ),
    balance: columnName.optional().describe('the balance after each line; Millime checks it line by line'),
    account: columnName.optional().describe('the account, if each row has it'),
    currency: columnName.optional().describe('the currency, if each row has it'),
    status: z
      .strictObject({
        column: columnName.describe('the column with the words'),
        booked: words.min(1).describe('the words of a line whose money has moved'),
        pending: words.describe('the words of a line that is only announced'),
        rejected: words.optional().describe('the words of a line that never moves money; Millime leaves it out'),
        emptyIsBooked: z
          .boolean()
          .optional()
          .describe('whether a line without a word is booked, as beside a mark of cancelled lines'),
      })
      .optional()
      .describe('words that show whether the money has moved'),
  })
  .refine(
    ({ debit, credit, amount }) =>
      (debit === undefined) === (credit === undefined) && (debit === undefined) !== (amount === undefined),
    'must name either debit and credit, or amount',
  )
  .refine(({ direction, amount, balance }) => direction === undefined || (amount ?? balance) !== undefined, {
    path: ['direction'],
    message: 'needs the column amount, or the column balance',
  });

function namesNumbersOnly(named: z.output<typeof columns>): boolean {
  return Object.values(named)
    .flatMap((column) => (column === undefined ? [] : typeof column === 'string' ? [column] : [column.column]))
    .every((name) => /^[1-9]\d{0,2}$/.test(name));
}

const singleCharacter = z.string().length(1);

const named = {
  name: z
    .string()
    .regex(PROFILE_NAME, 'must be lower-case letters, digits and hyphens, at most 64')
    .describe('the name of the profile, unique in the file'),
  description: z.string().min(1).describe('what a person must know about it'),
  payoutPattern: pattern
    .optional()
    .describe(
      'a regular expression on text and counterparty of the credits that may be payouts (default: every credit)',
    ),
};

/** The schema of a CSV profile in the profiles file. */
export const csvProfileSchema = z
  .strictObject({
    ...named,
    format: z.literal('csv').default('csv').describe('the format of the files'),
    encoding: z.enum(ENCODINGS).describe('the encoding of the text'),
    delimiter: singleCharacter.describe('the character between two cells'),
    quote: singleCharacter.nullable().default('"').describe('the quotation mark; null if the bank does not quote'),
    header: z
      .enum(['names', 'none'])
      .default('names')
      .describe('`none` for a file without headings, whose columns are then named by number: "1" is the first'),
    account: fixedOrLabeled
      .optional()
      .describe('the account: fixed, or beside a label around the lines; without it `--account` gives it'),
    currency: fixedOrLabeledCurrency
      .optional()
      .describe(
        'the currency; without it and without a column `--currency` or stored statements of the account give it',
      ),
    columns: columns.describe(
      'the headings of the columns, as the file has them; the second of two equal ones is `Name (2)`',
    ),
    headings: z
      .array(z.string().max(HEADING_CHARACTERS_MAX))
      .max(HEADINGS_MAX)
      .optional()
      .describe('every heading in its order; a file with other ones is not read with this profile'),
    setAside: z
      .record(z.string().max(HEADING_CHARACTERS_MAX), z.enum([...COLUMN_KINDS, 'any']))
      .optional()
      .describe(
        'the columns that are not read, each with the kind of its values; a file in which that differs is refused. ' +
          '`any`: a kind that may differ',
      ),
    dateFormat: z
      .string()
      .describe('the form of dates, such as `dd/mm/yyyy`, `yyyy-mm-dd` or `d mmm yy`; a time may follow')
      .refine(
        isDateFormat,
        'must name the day (dd or d), the month (mm, m or mmm) and the year (yyyy or yy) once each; a time may follow',
      ),
    debitSign: z
      .enum(['none', 'minus'])
      .default('none')
      .describe('whether each amount in the debit column has a minus'),
    reversals: z
      .boolean()
      .default(false)
      .describe('whether a minus in the column of credits, or of debits without a minus, takes a movement back'),
    decimalSign: z.enum([',', '.']).describe('the decimal sign of amounts'),
    thousandsSeparators: z
      .array(z.string().regex(/^[^\d+-]$/u, 'must be one character, not a digit or a sign'))
      .default([])
      .describe('the characters that may group digits'),
    unit: z
      .enum(['dinars', 'millimes'])
      .default('dinars')
      .describe('whether amounts in TND are written in dinars, or as whole millimes'),
    unmarked: z
      .enum(['credit', 'debit'])
      .default('credit')
      .describe('what an amount without a sign is in the column of amounts, beside others that have one'),
    emptyDates: z
      .enum(['refused', 'as-above'])
      .default('refused')
      .describe('whether a line without a booking date has that of the line above it'),
    order: z.enum(['oldest-first', 'newest-first']).default('oldest-first').describe('the order of the lines'),
    opening: labeled.optional().describe('the opening balance, beside a label'),
    closing: labeled.optional().describe('the closing balance, beside a label'),
    balancesFromRunning: z
      .union([z.boolean(), z.literal('proven')])
      .default(true)
      .describe(
        'whether the running balance replaces an opening or a closing balance without a label; `proven`: only if each line ' +
          'has one, and the opening balance or both totals prove the first line',
      ),
    totals: z
      .strictObject({ label: pattern.describe('a regular expression on the label') })
      .optional()
      .describe('a row whose debit and credit cells contain the sums of the lines'),
    otherRows: z.array(pattern).default([]).describe('labels of rows around the lines that Millime skips'),
  })
  .refine((value) => !value.thousandsSeparators.includes(value.decimalSign), {
    path: ['thousandsSeparators'],
    message: 'must not contain the decimal sign',
  })
  .refine((value) => value.totals === undefined || value.columns.debit !== undefined, {
    path: ['totals'],
    message: 'needs the columns debit and credit',
  })
  .refine((value) => value.header === 'names' || namesNumbersOnly(value.columns), {
    path: ['columns'],
    message: 'must be numbers, such as "1", because header is none',
  })
  .refine((value) => !value.reversals || value.columns.debit !== undefined, {
    path: ['reversals'],
    message: 'needs the columns debit and credit',
  })
  .refine((value) => value.debitSign === 'none' || value.columns.debit !== undefined, {
    path: ['debitSign'],
    message: 'needs the columns debit and credit',
  })
  .refine(({ currency, columns }) => currency === undefined || 'label' in currency || columns.currency === undefined, {
    path: ['currency'],
    message: 'must not be fixed beside a column of currencies',
  })
  .refine((value) => value.account === undefined || value.columns.account === undefined, {
    path: ['account'],
    message: 'must be given once: fixed, by a label, or as a column',
  });

const otherFormatProfile = z.strictObject({
  ...named,
  format: z.enum(['camt', 'mt940', 'ofx']).describe('the format of the files'),
  account: z.string().trim().min(1).max(200).optional().describe('the account of the profile (default: each account)'),
});

/** A profile without a format is a CSV profile. */
function withFormat(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !('format' in value) ? { ...value, format: 'csv' } : value;
}

const profile = z.preprocess(withFormat, z.discriminatedUnion('format', [csvProfileSchema, otherFormatProfile]));

const profilesFile = z.strictObject(
  {
    $schema: z.string().optional().describe('the JSON schema, for editors'),
    profiles: z.array(profile).min(1),
  },
  { error: ({ code }) => (code === 'invalid_type' ? 'must be an object with "profiles", a list' : undefined) },
);

/** Returns the profile that a text of the profiles file means; undefined if it cannot be loaded. */
export function profileOf(text: ProfileText): AnyProfile | undefined {
  return profile.safeParse(text).data;
}

/** Returns the pattern of `payoutPattern`. @throws AppError `bad_input` unless it is a regular expression. */
export function payoutPatternOf(source: string): RegExp {
  const parsed = pattern.safeParse(source);
  if (parsed.success) return parsed.data;
  throw new AppError('bad_input', { field: 'payoutPattern', expected: 'a regular expression', got: source });
}

/** Returns the pattern of the credits that contain a text. No text makes it slow, as a regular expression may be. */
export function patternOfText(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

export const profilesFileSchema = profilesFile.superRefine((file, context) => {
  file.profiles.forEach(({ name }, index) => {
    if (file.profiles.findIndex((other) => other.name === name) < index) {
      context.addIssue({ code: 'custom', path: ['profiles', index, 'name'], message: 'stands twice' });
    }
  });
});

/** How one bank writes its CSV exports. */
export type StatementProfile = z.output<typeof csvProfileSchema>;
/** The credits that may be payouts in files that contain all other facts. */
export type OtherFormatProfile = z.output<typeof otherFormatProfile>;
export type AnyProfile = StatementProfile | OtherFormatProfile;
/** A CSV profile as written in the profiles file. */
export type CsvProfileText = z.input<typeof csvProfileSchema>;
/** A profile of any format as written in the profiles file. */
export type ProfileText = CsvProfileText | z.input<typeof otherFormatProfile>;
export type LabeledValue = z.output<typeof labeled>;
export type FixedOrLabeled = z.output<typeof fixedOrLabeled>;

export interface PayoutPatternQuestion {
  readonly format: AnyProfile['format'];
  readonly account: string | undefined;
  /** The profile that the person named. */
  readonly profileName?: string | undefined;
}

/**
 * Returns the pattern of the credits of an account that may be payouts of the gateway. It comes from the named profile,
 * otherwise from the one for the format and the account, otherwise from the first for the format alone. Undefined: each
 * credit may be one.
 */
export function payoutPatternFor(profiles: readonly AnyProfile[], question: PayoutPatternQuestion): RegExp | undefined {
  if (question.profileName !== undefined) {
    return profiles.find(({ name }) => name === question.profileName)?.payoutPattern;
  }
  const account = question.account === undefined ? undefined : accountKey(question.account);
  const fitting = profiles.filter(({ format }) => format === question.format);
  const own = fitting.find((candidate) => account !== undefined && accountOf(candidate) === account);
  return (own ?? fitting.find((candidate) => candidate.account === undefined))?.payoutPattern;
}

/** Returns the ledger's name of a profile's account. */
function accountOf({ account }: AnyProfile): string | undefined {
  if (account === undefined) return undefined;
  if (typeof account === 'string') return accountKey(account);
  return 'fixed' in account ? accountKey(account.fixed) : undefined;
}
