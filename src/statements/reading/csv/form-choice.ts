import { AppError, quoted } from '../../../kernel';

/** The facts about a file that a person gives because its rows may not show them. */
export interface GivenForm {
  /** The decimal sign of amounts. */
  readonly decimalSign?: ',' | '.' | undefined;
  /** The form of dates, as in a profile. */
  readonly dateFormat?: string | undefined;
  /** The currency, if the file does not state it. */
  readonly currency?: string | undefined;
}

export type ChoiceField = 'decimalSign' | 'dateFormat';

/** A field of a profile for which several values fit every row of a file. */
export interface FormChoice {
  readonly field: ChoiceField;
  /** Whether neither a person nor the header's language chose one of the values. */
  readonly isOpen: boolean;
  /** A cell that the values read differently, and its place. */
  readonly text: string;
  readonly place: string;
  /** The values, each with what it makes of the cell. */
  readonly readings: readonly { readonly value: string; readonly meaning: string }[];
}

/** The options by which a person chooses a value. */
export const CHOICE_OPTIONS = { decimalSign: '--decimal-sign', dateFormat: '--date-format' } as const;

const CHOICES = {
  decimalSign: { code: 'decimal_sign_undecided', name: 'the decimal sign' },
  dateFormat: { code: 'date_format_undecided', name: 'the form of the dates' },
} as const;

/** Returns the error that refuses a file for a choice that only a person can make. It prints each reading. */
export function undecided({ field, text, place, readings }: FormChoice): AppError {
  const { code, name } = CHOICES[field];
  const meanings = readings.map(({ meaning }) => meaning).join(' or ');
  return new AppError(code, {
    field,
    expected: `${name}, because ${quoted(text)} (${place}) is ${meanings}`,
    command: `give ${readings.map((reading) => optionOf(field, reading.value)).join(' or ')}`,
  });
}

/** Returns the error that refuses a value which the balances contradict, and names the one that they fit. */
export function contradicted(field: ChoiceField, got: string, other: string): AppError {
  return new AppError('bad_input', {
    field,
    expected: `${quoted(other)}, because the balances of the file contradict the given value`,
    got,
    fix: 'check the file',
    command: `give ${optionOf(field, other)}`,
  });
}

function optionOf(field: ChoiceField, value: string): string {
  return `${CHOICE_OPTIONS[field]} ${/\s/.test(value) ? quoted(value) : value}`;
}
