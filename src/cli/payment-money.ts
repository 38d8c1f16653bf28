import { type BusinessCalendar, formatDinars } from '../kernel';
import type { PlacedPayment } from '../reporting';

/** Describes in a few words where the money is, for a list. */
export function moneyShort({ state, money, dueOn }: PlacedPayment): string {
  const by = dueOn === undefined ? '' : `, due ${dueOn}`;
  switch (state) {
    case 'none':
      return '';
    case 'banked':
      return `in the bank ${money?.bank?.bookedOn ?? ''}`;
    case 'returned':
      return `returned ${money?.returnedOn ?? ''}`;
    case 'break':
      return `break ${money?.breaks[0]?.breakClass ?? ''}${by}`;
    case 'expected':
    case 'late':
      return `${state} by ${dueOn ?? '?'}`;
    case 'refunded':
      return 'refunded';
  }
}

/** Returns each step of the money, one line each. */
export function moneyLines(
  { money, state, dueOn }: PlacedPayment,
  calendar: Pick<BusinessCalendar, 'formatLocal'>,
): string[] {
  if (money === undefined) return [];
  const { bank, returnedOn, refunded, breaks, confirmedAt } = money;
  return [
    `confirmed ${calendar.formatLocal(confirmedAt)}`,
    ...(returnedOn === undefined ? [] : [`returned by the bank on ${returnedOn}`]),
    ...(dueOn === undefined ? [] : [`expected at the bank by ${dueOn}${state === 'late' ? ' (late)' : ''}`]),
    ...(bank === undefined ? [] : [`in the bank on ${bank.bookedOn}, credit ${bank.creditId}`]),
    ...(refunded === 0n ? [] : [`refunded ${formatDinars(refunded)}`]),
    ...breaks.map(({ id, breakClass }) => `break ${id} (${breakClass})`),
  ];
}
