import type { Asked, Json } from '../../../api';
import type { Texts } from '../../../texts';

export type Sample = NonNullable<Json<'sampleBankUpload'>['sample']>;
export type CheckAnswer = Json<'checkBankReading'>;
export type Check = CheckAnswer['check'];
export type ReadingBody = NonNullable<Asked<'checkBankReading'>['body']>;
type ByHand = NonNullable<ReadingBody['byHand']>;

/** The ways to read a file: found by Millime, proposed from its head, or by hand. Others are names of profiles. */
export const BY_AUTO = '';
export const BY_PROPOSAL = 'proposed';
export const BY_HAND = '.hand';

/** What a column may mean, in the order of the choice. */
export const MEANINGS = [
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
] as const satisfies readonly (keyof ByHand['columns'])[];
export type Meaning = (typeof MEANINGS)[number];

/** Each form that a file may leave open against another one, the usual ones first. */
export const DATE_FORMATS = [
  ...['dd/mm/yyyy', 'dd-mm-yyyy', 'dd.mm.yyyy', 'yyyy-mm-dd', 'mm/dd/yyyy', 'dd/mm/yy', 'mm-dd-yyyy', 'mm/dd/yy'],
  ...['d/m/yyyy', 'm/d/yyyy', 'd-m-yyyy', 'm-d-yyyy', 'd/m/yy', 'm/d/yy', 'd-m-yy', 'm-d-yy'],
  ...['dd-mm-yy', 'mm-dd-yy', 'yy-mm-dd', 'yyyymmdd', 'ddmmyyyy'],
  ...['dd/mm/yyyy time', 'mm/dd/yyyy time', 'dd-mm-yyyy time', 'mm-dd-yyyy time', 'd/m/yyyy time', 'm/d/yyyy time'],
];

export const UNITS = ['dinars', 'millimes'] as const;
export const SIDES = ['credit', 'debit'] as const;

type Query = Readonly<Record<string, string>>;

/** Returns how the address of the page says that a file is read. */
export function readingOf(query: Query, sample: Sample | undefined): ReadingBody {
  const { by = BY_AUTO } = query;
  const shared = {
    account: given(query['account']),
    currency: given(query['currency'])?.toUpperCase(),
    unit: UNITS.find((each) => each === query['unit']),
    unmarked: SIDES.find((each) => each === query['unmarked']),
  };
  if (by === BY_HAND && sample !== undefined) return { ...shared, byHand: handOf(query, sample) };
  const sign = given(query['decimalSign']);
  const decimalSign = sign === ',' || sign === '.' ? sign : undefined;
  const profile = by === BY_HAND ? undefined : given(by);
  const setAside = mayAskColumns(by) ? setAsideIn(query) : [];
  return {
    ...{ ...shared, profile, decimalSign, dateFormat: given(query['dateFormat']) },
    setAside: setAside.length === 0 ? undefined : setAside,
  };
}

/** Returns whether a person may set columns aside: no profile that was chosen, and no reading by hand, says it. */
export function mayAskColumns(by: string): boolean {
  return by === BY_AUTO || by === BY_PROPOSAL;
}

/** Returns the columns that the address sets aside. The value of each box is the name of its column. */
export function setAsideIn(query: Query): string[] {
  return Object.entries(query).flatMap(([name, column]) => (/^s\d+$/.test(name) ? [column] : []));
}

/** What the file leaves open, and the field of the form that answers it. */
export interface OpenChoice {
  readonly field: string;
  readonly why: string;
}

/** Returns the choice that a refusal asks for; undefined if it asks for none. */
export function openChoiceOf({ sentence, t }: Texts, refusal: Check['refusals'][number]): OpenChoice | undefined {
  const { field, expected } = (refusal['params'] ?? {}) as Readonly<Record<string, unknown>>;
  const isOpen = refusal.code.endsWith('_undecided') && typeof field === 'string' && typeof expected === 'string';
  return isOpen ? { field, why: t('common:form.expected', { wanted: sentence(expected) }) } : undefined;
}

/** Returns the meaning of a column that the address states, by the position of the column. */
export function meaningAt(query: Query, index: number): Meaning | undefined {
  return MEANINGS.find((each) => each === query[`c${index}`]);
}

function handOf(query: Query, sample: Sample): ByHand {
  const columns: Partial<Record<Meaning, string>> = {};
  sample.columns.forEach((name, index) => {
    const meaning = meaningAt(query, index);
    if (meaning !== undefined && name !== '') columns[meaning] ??= name;
  });
  return {
    columns,
    encoding: sample.encoding,
    delimiter: sample.delimiter,
    dateFormat: given(query['dateFormat']) ?? DATE_FORMATS[0] ?? '',
    decimalSign: query['decimalSign'] === '.' ? '.' : ',',
    order: query['order'] === 'newest-first' ? 'newest-first' : 'oldest-first',
    statesOpening: query['opening'] === 'true',
    statesClosing: query['closing'] === 'true',
  };
}

/** Returns whether a reading by hand names what each statement has: the day, the text and the amounts. */
export function isDescribed(query: Query, sample: Sample): boolean {
  const meanings = new Set(sample.columns.map((_name, index) => meaningAt(query, index)));
  const hasAmounts = meanings.has('amount') || (meanings.has('debit') && meanings.has('credit'));
  return meanings.has('bookingDate') && meanings.has('remittance') && hasAmounts;
}

/** Returns the fields of an address that read a file by hand as a proposal does, so that a person corrects it. */
export function fieldsOfProposal(proposal: unknown, sample: Sample): Record<string, string> {
  const profile = (proposal ?? {}) as Readonly<Record<string, unknown>>;
  const columns = (profile['columns'] ?? {}) as Readonly<Record<string, unknown>>;
  const fields: Record<string, string> = {};
  sample.columns.forEach((name, index) => {
    const meaning = MEANINGS.find((each) => name !== '' && columns[each] === name);
    if (meaning !== undefined) fields[`c${index}`] = meaning;
  });
  for (const name of ['dateFormat', 'decimalSign', 'unit', 'unmarked', 'order']) {
    const value = profile[name];
    if (typeof value === 'string' && !value.startsWith('<')) fields[name] = value;
  }
  for (const name of ['opening', 'closing']) if (profile[name] !== undefined) fields[name] = 'true';
  return fields;
}

const given = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? undefined : trimmed;
};
