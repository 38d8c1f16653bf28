import { z } from 'zod';
import { accountKey } from './account-name';
import { exponentOf } from './currencies';
import { isDateFormat } from './date-text';
import { ENCODINGS } from './decode-text';

/** Limited to the width of the columns `profile` and `format`. */
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

const pattern = z.string().transform((source, context) => {
  try {
    return new RegExp(source, 'iu');
  } catch {
    context.addIssue({ code: 'custom', message: `is not a regular expression: ${source}` });
    return z.NEVER;
  }
});

const columnName = z.string().trim().min(1).max(200);
const words = z.array(z.string().trim().min(1).max(200)).max(50);

/**
 * A value beside a label in the rows around the lines. It is group 1 of the label's pattern if it has one, otherwise
 * the cell with the given number (the first is 1), otherwise the first filled cell after the label.
 */
const labeled = z.strictObject({ label: pattern, cell: z.int().min(1).max(200).optional() });
const fixedOrLabeled = z.union([z.strictObject({ fixed: z.string().min(1) }), labeled]);
const currencyCode = z
  .string()
  .refine((code) => exponentOf(code.trim().toUpperCase()) !== undefined, 'must be a currency of ISO 4217, such as TND');
const fixedOrLabeledCurrency = z.union([z.strictObject({ fixed: currencyCode }), labeled]);

const columns = z
  .strictObject({
    bookingDate: columnName,
    valueDate: columnName.optional(),
    remittance: columnName,
    counterparty: columnName.optional(),
    counterpartyAccount: columnName.optional(),
    reference: columnName.optional(),
    endToEndId: columnName.optional(),
    transactionCode: columnName.optional(),
    debit: columnName.optional(),
    credit: columnName.optional(),
    amount: columnName.optional(),
    /** A word that shows whether an amount without a sign is a debit or a credit. */
    direction: z.strictObject({ column: columnName, debit: words.min(1), credit: words.min(1) }).optional(),
    balance: columnName.optional(),
    /** Columns with the same value on each row. */
    account: columnName.optional(),
    currency: columnName.optional(),
    /** A word that shows whether the money has moved. */
    status: z.strictObject({ column: columnName, booked: words.min(1), pending: words }).optional(),
  })
  .refine(
    ({ debit, credit, amount }) =>
      (debit === undefined) === (credit === undefined) && (debit === undefined) !== (amount === undefined),
    'must name either debit and credit, or amount',
  )
  .refine(({ direction, amount }) => direction === undefined || amount !== undefined, {
    path: ['direction'],
    message: 'needs the column amount',
  });

const singleCharacter = z.string().length(1);

const named = {
  name: z.string().regex(NAME, 'must be lower-case letters, digits and hyphens, at most 64'),
  description: z.string().min(1),
  payoutPattern: pattern.optional(),
};

/** The schema of a CSV profile in the profiles file. */
export const csvProfileSchema = z
  .strictObject({
    ...named,
    format: z.literal('csv').default('csv'),
    encoding: z.enum(ENCODINGS),
    delimiter: singleCharacter,
    /** null if the bank does not quote, so that a quotation mark is an ordinary character. */
    quote: singleCharacter.nullable().default('"'),
    account: fixedOrLabeled.optional(),
    /** Without it and without a column, a person gives the currency, or the stored statements of the account show it. */
    currency: fixedOrLabeledCurrency.optional(),
    columns,
    dateFormat: z
      .string()
      .refine(
        isDateFormat,
        'must name the day (dd or d), the month (mm, m or mmm) and the year (yyyy or yy) once each; a time may follow',
      ),
    /** Whether each amount in the debit column has a minus. */
    debitSign: z.enum(['none', 'minus']).default('none'),
    decimalSign: z.enum([',', '.']),
    thousandsSeparators: z
      .array(z.string().regex(/^[^\d+-]$/u, 'must be one character, not a digit or a sign'))
      .default([]),
    order: z.enum(['oldest-first', 'newest-first']).default('oldest-first'),
    opening: labeled.optional(),
    closing: labeled.optional(),
    /** Whether the running balance replaces an opening or a closing balance that has no label. */
    balancesFromRunning: z.boolean().default(true),
    /** A row whose debit and credit cells contain the sums of the lines. */
    totals: z.strictObject({ label: pattern }).optional(),
    /** Labels of rows around the lines without needed facts. */
    otherRows: z.array(pattern).default([]),
  })
  .refine((value) => !value.thousandsSeparators.includes(value.decimalSign), {
    path: ['thousandsSeparators'],
    message: 'must not contain the decimal sign',
  })
  .refine((value) => value.totals === undefined || value.columns.debit !== undefined, {
    path: ['totals'],
    message: 'needs the columns debit and credit',
  })
  .refine((value) => value.debitSign === 'none' || value.columns.debit !== undefined, {
    path: ['debitSign'],
    message: 'needs the columns debit and credit',
  })
  .refine((value) => value.currency === undefined || value.columns.currency === undefined, {
    path: ['currency'],
    message: 'must be given once: fixed, by a label, or as a column',
  })
  .refine((value) => value.account === undefined || value.columns.account === undefined, {
    path: ['account'],
    message: 'must be given once: fixed, by a label, or as a column',
  });

const otherFormatProfile = z.strictObject({
  ...named,
  format: z.enum(['camt', 'mt940', 'ofx']),
  /** The account of the profile; by default it is for each account of the format. */
  account: z.string().trim().min(1).max(200).optional(),
});

/** A profile without a format is a CSV profile. */
function withFormat(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !('format' in value) ? { ...value, format: 'csv' } : value;
}

const profile = z.preprocess(withFormat, z.discriminatedUnion('format', [csvProfileSchema, otherFormatProfile]));

export const profilesFileSchema = z.strictObject({ profiles: z.array(profile).min(1) }).superRefine((file, context) => {
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
