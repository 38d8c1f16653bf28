import { readPlanLines } from '../attempts';
import { type FieldFault, type LineFault, parseMillimes } from '../kernel';
import type { SubscriptionRequest } from './subscriptions';

const COLUMNS = [
  'reference',
  'amount_millimes',
  'interval',
  'interval_count',
  'name',
  'description',
  'agent_id',
  'client_id',
  'max_cycles',
  'session_timeout_secs',
  'success_link',
  'fail_link',
] as const;

const INTERVALS = ['day', 'week', 'month', 'year'] as const;
const WHOLE_NUMBER = /^[1-9]\d{0,9}$/;

type Fields = Readonly<Record<(typeof COLUMNS)[number], string>>;

export interface PlanLine {
  readonly line: number;
  readonly request: SubscriptionRequest;
}

/**
 * Reads a plan of subscriptions. Only `reference`, `amount_millimes`, `interval` and `name` are required; an empty
 * field means the default of the gateway or of this installation. `checkTerms` checks the gateway's rules.
 */
export function readPlan(file: Uint8Array): { readonly lines: PlanLine[]; readonly faults: LineFault[] } {
  return readPlanLines(file, COLUMNS, readRequest);
}

function readRequest(fields: Fields): Omit<PlanLine, 'line'> | { readonly faults: FieldFault[] } {
  const faults: FieldFault[] = [];
  const refuse = (field: keyof Fields, expected: string): void => {
    faults.push({ field, expected, got: fields[field] });
  };
  const whole = (name: 'interval_count' | 'max_cycles' | 'session_timeout_secs'): number | undefined => {
    const text = fields[name];
    if (text === '') return undefined;
    if (!WHOLE_NUMBER.test(text)) refuse(name, 'a whole number above 0');
    return Number(text);
  };
  // Without references, importing a file twice would create each subscription twice.
  if (fields.reference === '') refuse('reference', 'a reference');
  const amount = parseMillimes(fields.amount_millimes);
  if (amount === undefined || amount <= 0) refuse('amount_millimes', 'whole millimes above 0');
  const interval = INTERVALS.find((name) => name === fields.interval);
  if (interval === undefined) refuse('interval', `one of ${INTERVALS.join(', ')}`);
  const numbers = {
    intervalCount: whole('interval_count'),
    maxCycles: whole('max_cycles'),
    sessionTimeoutSecs: whole('session_timeout_secs'),
  };
  if (faults.length > 0 || amount === undefined || interval === undefined) return { faults };
  const request = {
    amountMillimes: amount,
    interval,
    name: fields.name,
    description: filled(fields.description),
    reference: fields.reference,
    agentId: filled(fields.agent_id),
    clientId: filled(fields.client_id),
    successLink: filled(fields.success_link),
    failLink: filled(fields.fail_link),
    ...numbers,
  };
  return { request };
}

function filled(text: string): string | undefined {
  return text === '' ? undefined : text;
}
