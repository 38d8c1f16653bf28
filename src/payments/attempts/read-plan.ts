import { type PaymentSettings, readPlanLines } from '../../attempts';
import type { GatewayClient } from '../../gateway';
import { type FieldFault, type Instant, type LineFault, parseMillimes } from '../../kernel';
import type { Payment } from '../payment';
import type { PaymentRequest } from '../payments';
import { readPaymentRequest } from './payment-request';

const PLAN_COLUMNS = [
  'reference',
  'amount_millimes',
  'kind',
  'agent_id',
  'client_id',
  'accept_card',
  'session_timeout_secs',
  'success_link',
  'fail_link',
] as const;

/** Splits are missing because the file has no columns for their parts. */
const PLAN_KINDS = ['standard', 'binding', 'preauthorization'] as const satisfies PaymentRequest['kind'][];

/** One line of a plan, and the attempt that it requests. */
export interface PlanLine {
  readonly line: number;
  readonly reference: string;
  readonly payment: Payment;
}

export interface PlanReader {
  readonly gateway: GatewayClient;
  readonly settings: PaymentSettings;
  readonly at: Instant;
  readonly recordedBy: string;
}

type Values = Readonly<Record<(typeof PLAN_COLUMNS)[number], string>>;

/** Reads a whole plan. An empty value means the default; `reference` and `amount_millimes` have none. */
export function readPlan(file: Uint8Array, reader: PlanReader): { lines: PlanLine[]; faults: LineFault[] } {
  return readPlanLines(file, PLAN_COLUMNS, (values) => readLine(values, reader));
}

function readLine(values: Values, reader: PlanReader): Omit<PlanLine, 'line'> | { readonly faults: FieldFault[] } {
  const faults: FieldFault[] = [];
  const kind = PLAN_KINDS.find((name) => name === (values.kind === '' ? 'standard' : values.kind));
  const amount = parseMillimes(values.amount_millimes);
  const acceptCard = flag(values.accept_card);
  const sessionTimeoutSecs = wholeNumber(values.session_timeout_secs);
  const refuse = (field: keyof Values, expected: string): void => {
    faults.push({ field, expected, got: values[field] });
  };
  if (values.reference === '') refuse('reference', 'a reference');
  if (kind === undefined) refuse('kind', `one of ${PLAN_KINDS.join(', ')}`);
  if (amount === undefined) refuse('amount_millimes', 'whole millimes');
  if (values.accept_card !== '' && acceptCard === undefined) refuse('accept_card', 'true or false');
  if (values.session_timeout_secs !== '' && sessionTimeoutSecs === undefined) {
    refuse('session_timeout_secs', 'whole seconds');
  }
  if (faults.length > 0 || kind === undefined || amount === undefined) return { faults };
  const request: PaymentRequest = {
    kind,
    amountMillimes: amount,
    reference: values.reference,
    agentId: given(values.agent_id),
    clientId: given(values.client_id),
    acceptCard,
    sessionTimeoutSecs,
    successLink: given(values.success_link),
    failLink: given(values.fail_link),
  };
  const { gateway, settings, at, recordedBy } = reader;
  const read = readPaymentRequest(gateway, settings, request, { requestState: 'requested', at, recordedBy });
  if (!('faults' in read)) return { reference: values.reference, payment: read.payment };
  return { faults: read.faults.map((fault) => ({ ...fault, field: columnOf(fault.field) })) };
}

function given(value: string): string | undefined {
  return value === '' ? undefined : value;
}

function flag(text: string): boolean | undefined {
  if (text === 'true') return true;
  return text === 'false' ? false : undefined;
}

function wholeNumber(text: string): number | undefined {
  return /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : undefined;
}

/** Returns the column name: `amount_millimes` for `amountMillimes`. */
function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
