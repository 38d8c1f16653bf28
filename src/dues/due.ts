import { type BusinessDate, type Millimes, outsideIdFault, parseBusinessDate, parseMillimes, quoted } from '../kernel';

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

export type DueFields = Readonly<Record<'reference' | 'agent_id' | 'amount_millimes' | 'due_date' | 'memo', string>>;

const MEMO_CHARACTERS_MAX = 500;

/** Reads the fields of a row, or returns one fault per bad field. */
export function readDue(fields: DueFields): Due | { faults: string[] } {
  const faults: string[] = [];
  const referenceFault = outsideIdFault(fields.reference);
  if (referenceFault !== undefined) faults.push(`reference: ${referenceFault}`);
  const agentFault = outsideIdFault(fields.agent_id);
  if (agentFault !== undefined) faults.push(`agent_id: ${agentFault}`);
  const amount = parseMillimes(fields.amount_millimes);
  if (amount === undefined || amount <= 0) {
    faults.push(`amount_millimes: expected whole millimes above 0, got ${quoted(fields.amount_millimes)}`);
  }
  const dueDate = parseBusinessDate(fields.due_date);
  if (dueDate === undefined) {
    faults.push(`due_date: expected a date as YYYY-MM-DD, got ${quoted(fields.due_date)}`);
  }
  if (fields.memo.length > MEMO_CHARACTERS_MAX) faults.push(`memo: is longer than ${MEMO_CHARACTERS_MAX} characters`);
  if (!fields.memo.isWellFormed() || fields.memo.includes('\0')) faults.push('memo: is not valid text');
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
