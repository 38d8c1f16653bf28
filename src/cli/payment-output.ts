import { type BusinessCalendar, formatDinars, shownText } from '../kernel';
import type { Payment } from '../payments';
import type { FoundPayment, PlacedPayment } from '../reporting';
import { foundGatewayId, foundKind } from '../shapes/found-payments';
import { t, word } from './language';
import { moneyShort } from './payment-money';
import type { Column } from './print-table';

export const PAYMENT_COLUMNS: readonly Column[] = [
  ...['id', 'kind', 'state', { right: 'amount' }, 'gateway id', 'reference', 'agent', 'time', 'channel', 'money'],
];

/** Returns the cells of a list of all channels; `attempt` are those of a row that is an attempt. */
export function foundPaymentRow(
  row: PlacedPayment,
  attempt: readonly string[] | undefined,
  calendar: Pick<BusinessCalendar, 'formatLocal'>,
): string[] {
  const { id, status = '', amount, reference = '', agentId = '' } = row;
  const own = [
    id,
    kindText(foundKind(row)),
    statusText(status),
    formatDinars(amount),
    foundGatewayId(row) ?? '',
    reference,
    agentId,
  ];
  const channel = row.channel === undefined ? '' : word('channel', row.channel);
  return [...(attempt ?? own.map(shownText)), calendar.formatLocal(row.at), channel, moneyShort(row)];
}

/** Returns one line for people about a payment that is no attempt. */
export function foundPaymentLine(row: FoundPayment): string {
  const agent = row.agentId === undefined ? undefined : t('cli:payments.agent', { agentId: row.agentId });
  const names = [row.reference, agent].filter((name) => name !== undefined).map(shownText);
  const state = shownText(statusText(row.status ?? '')).padEnd(STATE_WIDTH);
  const amount = formatDinars(row.amount).padStart(AMOUNT_WIDTH);
  return [shownText(row.id), kindText(foundKind(row)).padEnd(KIND_WIDTH), state, amount, ...names].join('  ');
}

/** Returns the cells of a list: the requested amount, or the captured part of it. */
export function paymentRow(payment: Payment): string[] {
  const { trackingId, kind, amount, captured = amount, gatewayId = '', reference = '', agentId = '' } = payment;
  const part = captured === amount ? '' : ` ${t('cli:payments.ofAmount', { amount: formatDinars(amount) })}`;
  const names = [gatewayId, reference, agentId].map(shownText);
  return [trackingId, kindText(kind), shownText(stateOf(payment)), `${formatDinars(captured)}${part}`, ...names];
}

const KIND_WIDTH = 'preauthorization'.length;
const STATE_WIDTH = 'SYSTEM_FAILURE'.length;
const AMOUNT_WIDTH = 16;

function kindText(kind: string): string {
  const label = word('paymentKind', kind);
  return label === kind ? word('receiptKind', kind) : label;
}

function statusText(status: string): string {
  return word('paymentStatus', status);
}

/** Returns the state in one word: the gateway's status, or the state of the request before a status exists. */
function stateOf({ requestState, status }: Payment): string {
  return requestState === 'made' && status !== undefined ? statusText(status) : word('requestState', requestState);
}

/** Returns one line for people: the requested amount, or the captured part of it. */
export function paymentLine(payment: Payment): string {
  const { trackingId, kind, amount, captured = amount, gatewayId, reference, agentId } = payment;
  const state = shownText(stateOf(payment));
  const agent = agentId === undefined ? undefined : t('cli:payments.agent', { agentId });
  const names = [gatewayId, reference, agent].filter((name) => name !== undefined).map(shownText);
  return [
    trackingId,
    kindText(kind).padEnd(KIND_WIDTH),
    state.padEnd(STATE_WIDTH),
    formatDinars(captured).padStart(AMOUNT_WIDTH),
    ...(captured === amount ? [] : [t('cli:payments.ofAmount', { amount: formatDinars(amount) })]),
    ...names,
  ].join('  ');
}
