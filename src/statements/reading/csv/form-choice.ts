import { AppError, quoted } from '../../../kernel';

/** The facts about a file that a person gives because its rows may not show them. */
export interface GivenForm {
  /** The decimal sign of amounts. */
  readonly decimalSign?: ',' | '.' | undefined;
  /** The form of dates, as in a profile. */
  readonly dateFormat?: string | undefined;
  /** The unit of amounts in TND. */
  readonly unit?: 'dinars' | 'millimes' | undefined;
  /** What an amount without a sign is. */
  readonly unmarked?: 'credit' | 'debit' | undefined;
  /** The columns that carry nothing of the money. */
  readonly setAside?: readonly string[] | undefined;
  /** The currency, if the file does not state it. */
  readonly currency?: string | undefined;
  /** The own account. Beside payees, an account column with another one is that of the payees. */
  readonly account?: string | undefined;
}

/** The fields of a profile that a person may have to choose. */
export const CHOICE_FIELDS = ['decimalSign', 'dateFormat', 'unit', 'unmarked', 'setAside'] as const;
export type ChoiceField = (typeof CHOICE_FIELDS)[number];

/** A field of a profile for which several values fit every row of a file. */
export interface FormChoice {
  readonly field: ChoiceField;
  /** Whether neither a person nor the header's language chose one of the values. */
  readonly isOpen: boolean;
  /** A cell that the values read differently, and its place. */
  readonly text: string;
  readonly place: string;
  /** The values, each with what it makes of the cell. Of a column to set aside, its name, with what its values look like. */
  readonly readings: readonly { readonly value: string; readonly meaning: string }[];
}

/** The options by which a person chooses a value. */
export const CHOICE_OPTIONS: Readonly<Record<ChoiceField, string>> = {
  decimalSign: '--decimal-sign',
  dateFormat: '--date-format',
  unit: '--unit',
  unmarked: '--unmarked',
  setAside: '--set-aside',
};

const CHOICES = {
  decimalSign: { code: 'decimal_sign_undecided', name: 'the decimal sign' },
  dateFormat: { code: 'date_format_undecided', name: 'the form of the dates' },
  unit: { code: 'unit_undecided', name: 'the unit of the amounts' },
  unmarked: { code: 'sign_undecided', name: 'the side of the amounts without a sign' },
  setAside: { code: 'column_undecided', name: '' },
} as const;

/** Returns the error that refuses a file for a choice that only a person can make. It prints each reading. */
export function undecided({ field, text, place, readings }: FormChoice): AppError {
  const { code, name } = CHOICES[field];
  const [first] = readings;
  const meanings = readings.map(({ meaning }) => meaning).join(' or ');
  const options = readings.map((reading) => optionOf(field, reading.value)).join(' or ');
  if (field !== 'setAside') {
    const expected = `${name}, because ${quoted(text)} (${place}) is ${meanings}`;
    return new AppError(code, { field, expected, command: `give ${options}` });
  }
  return new AppError(code, {
    field,
    expected: `the meaning of column ${quoted(first?.value ?? '')}, because ${quoted(text)} (${place}) looks like ${meanings} and is not read`,
    command: `give ${options} if it changes no amount, side, state, currency or account; otherwise write a profile that reads it`,
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
  return `${CHOICE_OPTIONS[field]} ${/^[\w,./-]+$/.test(value) ? value : quoted(value)}`;
}
