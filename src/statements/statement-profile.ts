import { z } from 'zod';
import { isDateFormat } from './date-text';
import { ENCODINGS } from './decode-text';

/** Bound to the width of the columns `profile` and `format`. */
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

/**
 * A value that stands beside a label in the rows around the lines: group 1 of the label's pattern when it has one, else
 * the cell with the given number (the first is 1), else the first filled cell after the label.
 */
const labelled = z.strictObject({ label: pattern, cell: z.int().min(1).max(200).optional() });
const fixedOrLabelled = z.union([z.strictObject({ fixed: z.string().min(1) }), labelled]);

const columns = z
  .strictObject({
    bookingDate: columnName,
    valueDate: columnName.optional(),
    remittance: columnName,
    counterparty: columnName.optional(),
    reference: columnName.optional(),
    debit: columnName.optional(),
    credit: columnName.optional(),
    amount: columnName.optional(),
    balance: columnName.optional(),
  })
  .refine(
    ({ debit, credit, amount }) =>
      (debit === undefined) === (credit === undefined) && (debit === undefined) !== (amount === undefined),
    'must name either debit and credit, or amount',
  );

const singleCharacter = z.string().length(1);

const profile = z
  .strictObject({
    name: z.string().regex(NAME, 'must be lower-case letters, digits and hyphens, at most 64'),
    description: z.string().min(1),
    encoding: z.enum(ENCODINGS),
    delimiter: singleCharacter,
    /** null where the bank does not quote, and a quotation mark is a character like any other. */
    quote: singleCharacter.nullable().default('"'),
    account: fixedOrLabelled.optional(),
    currency: fixedOrLabelled,
    columns,
    dateFormat: z.string().refine(isDateFormat, 'must name dd, mm and yyyy (or yy) once each'),
    decimalSign: z.enum([',', '.']),
    thousandsSeparators: z
      .array(z.string().regex(/^[^\d+-]$/u, 'must be one character, not a digit or a sign'))
      .default([]),
    order: z.enum(['oldest-first', 'newest-first']).default('oldest-first'),
    opening: labelled.optional(),
    closing: labelled.optional(),
    /** A row whose debit and credit cells hold what the lines add up to. */
    totals: z.strictObject({ label: pattern }).optional(),
    /** Labels of rows around the lines that say nothing we need. */
    otherRows: z.array(pattern).default([]),
    payoutPattern: pattern.optional(),
  })
  .refine((value) => !value.thousandsSeparators.includes(value.decimalSign), {
    path: ['thousandsSeparators'],
    message: 'must not contain the decimal sign',
  })
  .refine((value) => value.totals === undefined || value.columns.debit !== undefined, {
    path: ['totals'],
    message: 'needs the columns debit and credit',
  });

export const profilesFileSchema = z.strictObject({ profiles: z.array(profile).min(1) }).superRefine((file, context) => {
  file.profiles.forEach(({ name }, index) => {
    if (file.profiles.findIndex((other) => other.name === name) < index) {
      context.addIssue({ code: 'custom', path: ['profiles', index, 'name'], message: 'stands twice' });
    }
  });
});

/** How one bank writes its exports. */
export type StatementProfile = z.output<typeof profile>;
export type LabelledValue = z.output<typeof labelled>;
export type FixedOrLabelled = z.output<typeof fixedOrLabelled>;
