import { type BusinessCalendar, formatDinars } from '../kernel';
import type { PlacedPayment } from '../reporting';
import { t, word } from './language';

/** Describes in a few words where the money is, for a list. */
export function moneyShort({ state, money, dueOn }: PlacedPayment): string {
  const by = dueOn === undefined ? '' : `, ${t('cli:money.due', { day: dueOn })}`;
  switch (state) {
    case 'none':
      return '';
    case 'banked':
      return t('cli:money.banked', { day: money?.bank?.bookedOn ?? '' });
    case 'returned':
      return t('cli:money.returned', { day: money?.returnedOn ?? '' });
    case 'break':
      return t('cli:money.break', { breakClass: word('breakClass', money?.breaks[0]?.breakClass ?? '') }) + by;
    case 'expected':
    case 'late':
      return t(`cli:money.${state}`, { day: dueOn ?? '?' });
    case 'refunded':
      return t('cli:money.refunded');
  }
}

/** Returns each step of the money, one line each. */
export function moneyLines(
  { money, state, dueOn }: PlacedPayment,
  calendar: Pick<BusinessCalendar, 'formatLocal'>,
): string[] {
  if (money === undefined) return [];
  const { bank, returnedOn, refunded, breaks, confirmedAt } = money;
  const late = state === 'late' ? ` (${t('cli:money.isLate')})` : '';
  return [
    t('cli:money.confirmed', { time: calendar.formatLocal(confirmedAt) }),
    ...(returnedOn === undefined ? [] : [t('cli:money.returnedByBank', { day: returnedOn })]),
    ...(dueOn === undefined ? [] : [t('cli:money.expectedAtBank', { day: dueOn }) + late]),
    ...(bank === undefined ? [] : [t('cli:money.inBank', { day: bank.bookedOn, creditId: bank.creditId })]),
    ...(refunded === 0n ? [] : [t('cli:money.refundedAmount', { amount: formatDinars(refunded) })]),
    ...breaks.map(({ id, breakClass }) => t('cli:money.ofBreak', { id, breakClass: word('breakClass', breakClass) })),
  ];
}
