import type { Millime } from '../compose';
import { type BusinessCalendar, type BusinessDate, formatDinars, formatInstant, totalToJson } from '../kernel';
import type { FoundPayment } from '../reporting';

/** Where the money of a payment is; `none`: nothing is in the ledger. */
export const MONEY_STATES = ['expected', 'late', 'break', 'banked', 'returned', 'refunded'] as const;
export type MoneyState = (typeof MONEY_STATES)[number] | 'none';

/** A payment with the day by which runs expect its money at the bank. */
export interface PlacedPayment extends FoundPayment {
  readonly state: MoneyState;
  /** Undefined if it is paid out, or not owed. */
  readonly dueOn: BusinessDate | undefined;
}

/** Returns the function that places payments. It reads the unpaid items once, at the first payment that needs them. */
export function placing({
  reconciliation,
}: Pick<Millime, 'reconciliation'>): (found: readonly FoundPayment[]) => Promise<PlacedPayment[]> {
  let unpaid: ReadonlyMap<string, Due> | undefined;
  return async (found) => {
    if (unpaid === undefined && found.some(({ money }) => money !== undefined && money.bank === undefined)) {
      const items = await reconciliation.unpaidItems({});
      unpaid = new Map(items.map(({ itemId, dueOn, isLate }) => [itemId, { dueOn, isLate }]));
    }
    return found.map((each) => placed(each, unpaid?.get(each.itemId ?? '')));
  };
}

interface Due {
  readonly dueOn: BusinessDate | undefined;
  readonly isLate: boolean;
}

function placed(found: FoundPayment, due: Due | undefined): PlacedPayment {
  return { ...found, state: stateOf(found, due), dueOn: found.money?.bank === undefined ? due?.dueOn : undefined };
}

/** A refund in full ends a payment, wherever its money was. */
function stateOf({ money, amount }: FoundPayment, due: Due | undefined): MoneyState {
  if (money === undefined) return 'none';
  if (money.refunded > 0n && money.refunded >= BigInt(amount)) return 'refunded';
  if (money.bank !== undefined) return 'banked';
  if (money.returnedOn !== undefined) return 'returned';
  if (money.breaks.length > 0) return 'break';
  return due?.isLate === true ? 'late' : 'expected';
}

export function moneyJson({
  source,
  id,
  at,
  channel,
  money,
  state,
  dueOn,
  cursor,
}: PlacedPayment): Record<string, unknown> {
  return {
    source,
    id,
    at: formatInstant(at),
    channel: channel ?? null,
    money: {
      state,
      confirmedAt: money === undefined ? null : formatInstant(money.confirmedAt),
      expectedBy: dueOn ?? null,
      bankedOn: money?.bank?.bookedOn ?? null,
      creditId: money?.bank?.creditId ?? null,
      returnedOn: money?.returnedOn ?? null,
      refundedMillimes: totalToJson(money?.refunded ?? 0n),
      breakIds: money?.breaks.map((each) => each.id) ?? [],
    },
    cursor,
  };
}

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
