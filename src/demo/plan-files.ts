import { csvLine } from '../kernel';
import type { DayPlan, DemoPlan } from './demo-plan';

const CHECKOUT_COLUMNS = [
  ...['reference', 'amount_millimes', 'kind', 'agent_id', 'client_id'],
  ...['accept_card', 'session_timeout_secs', 'success_link', 'fail_link'],
];
const SUBSCRIPTION_COLUMNS = [
  ...['reference', 'amount_millimes', 'interval', 'interval_count', 'name', 'description', 'agent_id', 'client_id'],
  ...['max_cycles', 'session_timeout_secs', 'success_link', 'fail_link'],
];

/** Ten hours, because customers pay at any time of the day. */
const CHECKOUT_SESSION_SECS = '36000';
/** The longest session of a subscription. */
const SUBSCRIPTION_SESSION_SECS = '7200';

/** Returns the checkouts of a day as a plan file. */
export function checkoutFile({ acts }: DayPlan): string {
  const rows = acts.flatMap((act): string[][] => {
    if (act.kind !== 'pay' && act.kind !== 'refused_by_bank') return [];
    const { reference, amountMillimes } = act;
    return [[reference, String(amountMillimes), 'standard', '', '', 'true', CHECKOUT_SESSION_SECS, '', '']];
  });
  return csvFile(CHECKOUT_COLUMNS, rows);
}

export function subscriptionFile({ subscriptions }: DemoPlan): string {
  const rows = subscriptions.map(({ reference, amountMillimes }) => [
    ...[reference, String(amountMillimes), 'day', '', reference, '', '', '', '', SUBSCRIPTION_SESSION_SECS, '', ''],
  ]);
  return csvFile(SUBSCRIPTION_COLUMNS, rows);
}

function csvFile(columns: readonly string[], rows: readonly string[][]): string {
  return [columns, ...rows].map((row) => csvLine(row)).join('');
}
