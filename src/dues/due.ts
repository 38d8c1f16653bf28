import {
  type BusinessDate,
  type FieldFault,
  fileIdFault,
  foldText,
  type Millimes,
  parseBusinessDate,
  parseDinars,
  parseMillimes,
} from '../kernel';

/**
 * One amount that an agent owes from its import on. The due date is used for aging: a payment counts toward the oldest due first.
 */
export interface Due {
  readonly reference: string;
  readonly agentId: string;
  readonly amount: Millimes;
  readonly dueDate: BusinessDate;
  readonly memo: string;
}

const COLUMNS = ['reference', 'agent_id', 'amount_millimes', 'due_date', 'memo'] as const;
const DINAR_HEADINGS = [
  'montant dt',
  'montant tnd',
  'montant dinars',
  'montant en dinars',
  'montant du dt',
  'amount dt',
];

/** The columns of a file of dues, and their French headings. The heading of an amount states its unit. */
export const DUE_COLUMNS = {
  names: COLUMNS,
  otherHeadings: {
    reference: ['ref', 'n reference', 'numero', 'numero de piece'],
    agent_id: ['agent', 'id agent', 'code agent', 'matricule', 'identifiant'],
    amount_millimes: ['montant millimes', 'montant en millimes', ...DINAR_HEADINGS],
    due_date: ['echeance', 'date echeance', 'date d echeance', 'date limite'],
    memo: ['libelle', 'motif', 'objet', 'designation', 'observation'],
  },
} as const;

type DueFields = Readonly<Record<(typeof COLUMNS)[number], string>>;

const MEMO_CHARACTERS_MAX = 500;
const FRENCH_DATE = /^(\d{2})[/.-](\d{2})[/.-](\d{4})$/;

/** Reads the fields of a row, or returns its faults, which name the fields as the file's headings do. */
export function readDue(fields: DueFields, headings: DueFields): Due | { faults: FieldFault[] } {
  const faults: FieldFault[] = [];
  for (const name of ['reference', 'agent_id'] as const) {
    const fault = fileIdFault(fields[name]);
    if (fault !== undefined) faults.push({ field: headings[name], fault });
  }
  const isDinars = DINAR_HEADINGS.includes(foldText(headings.amount_millimes));
  const amount = isDinars ? parseDinars(fields.amount_millimes.trim()) : parseMillimes(fields.amount_millimes);
  if (amount === undefined || amount <= 0) {
    const expected = isDinars ? 'dinars above 0, such as 1 234,567' : 'whole millimes above 0';
    faults.push({ field: headings.amount_millimes, expected, got: fields.amount_millimes });
  }
  const dueDate = parseBusinessDate(fields.due_date.replace(FRENCH_DATE, '$3-$2-$1'));
  if (dueDate === undefined) {
    faults.push({ field: headings.due_date, expected: 'a date as YYYY-MM-DD or DD/MM/YYYY', got: fields.due_date });
  }
  if (fields.memo.length > MEMO_CHARACTERS_MAX) {
    faults.push({ field: headings.memo, fault: `is longer than ${MEMO_CHARACTERS_MAX} characters` });
  }
  if (!fields.memo.isWellFormed() || fields.memo.includes('\0')) {
    faults.push({ field: headings.memo, fault: 'is not valid text' });
  }
  if (faults.length > 0 || amount === undefined || dueDate === undefined) return { faults };
  return { reference: fields.reference, agentId: fields.agent_id, amount, dueDate, memo: fields.memo };
}

export function sameDue(a: Due, b: Due): boolean {
  return (
    a.reference === b.reference &&
    a.agentId === b.agentId &&
    a.amount === b.amount &&
    a.dueDate === b.dueDate &&
    a.memo === b.memo
  );
}
