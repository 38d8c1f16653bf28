import { CHOICE_OPTIONS, type ChoiceField } from './csv/form-choice';
import type { ProposedProfile } from './csv/propose-profile';
import type { CsvProfileText, ProfileText } from './statement-profile';

/** A field of a proposed profile that the file does not show. A person fills it before the profile can be loaded. */
export interface ProfileGap {
  readonly field: 'name' | 'currency' | ChoiceField;
  /** The option that fills it. */
  readonly option: string;
}

/** A proposed profile as an entry of the profiles file. Each gap has the text `GAP_MARKS` in its place. */
export interface ProfileEntry {
  readonly entry: ProfileText;
  readonly gaps: readonly ProfileGap[];
  /** The findings about the file that led to the profile, one sentence each. */
  readonly reasons: readonly string[];
}

/** No profile with such a text can be loaded. */
export const GAP_MARKS = {
  name: '<name>',
  currency: '<currency>',
  decimalSign: '<decimalSign>',
  dateFormat: '<dateFormat>',
  unit: '<unit>',
  unmarked: '<unmarked>',
  setAside: '<setAside>',
} as const;

/** Returns a proposed profile with the facts that a person or stored statements add. The account is never one of them. */
export function profileEntry(
  { json, reasons, choices }: ProposedProfile,
  given: {
    readonly name: string | undefined;
    readonly currency: string | undefined;
    readonly payoutPattern: string | undefined;
  },
): ProfileEntry {
  const { description, format, encoding, delimiter, account, currency, ...rest } = JSON.parse(json) as CsvProfileText;
  const isStated = currency !== undefined || rest.columns.currency !== undefined;
  const open = new Set(choices.filter(({ isOpen }) => isOpen).map(({ field }) => field));
  const gaps: ProfileGap[] = [
    ...[...open].map((field) => ({ field, option: CHOICE_OPTIONS[field] })),
    ...(given.name === undefined ? [{ field: 'name', option: '--save-profile' } as const] : []),
    ...(isStated || given.currency !== undefined ? [] : [{ field: 'currency', option: '--currency' } as const]),
  ];
  const entry = {
    ...rest,
    ...Object.fromEntries([...open].map((field) => [field, GAP_MARKS[field]])),
    name: given.name ?? GAP_MARKS.name,
    description,
    format,
    encoding,
    delimiter,
    account,
    currency: isStated ? currency : { fixed: given.currency ?? GAP_MARKS.currency },
    payoutPattern: given.payoutPattern,
  };
  return { entry: inOrder(entry), gaps, reasons };
}

/** Puts the fields that a person reads first before the others, and drops absent ones. */
function inOrder(entry: CsvProfileText): CsvProfileText {
  const { name, description, payoutPattern, format, encoding, delimiter, account, currency, ...rest } = entry;
  const ordered = { name, description, payoutPattern, format, encoding, delimiter, account, currency, ...rest };
  return JSON.parse(JSON.stringify(ordered)) as CsvProfileText;
}
