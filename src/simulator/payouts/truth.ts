import { addToGroup, type BusinessDate, compareBytes, formatInstant, type Instant } from '../../kernel';
import { type BankLine, inBookingOrder } from './bank-line';
import { inOrderOfAvailability, type PayableItem, sumMillimes } from './payable-item';
import { itemIdsOf, type Payout } from './payout';
import type { PayoutBook } from './payout-book';

export interface TruthRequest {
  /** The last day of the statement; later lines are not known yet. */
  readonly through: BusinessDate;
  /** The instant that decides what is available. */
  readonly asOf: Instant;
}

/** The true payouts, to test programs that can only infer them. Field names are those of the JSON file. */
export interface PayoutTruth {
  readonly through: BusinessDate;
  readonly as_of: string;
  readonly lines: readonly TruthLine[];
  readonly payouts: readonly TruthPayout[];
  readonly items: readonly TruthItem[];
}

export interface TruthLine {
  readonly line_id: string;
  readonly booking_date: BusinessDate;
  readonly amount_millimes: number;
  readonly cause: BankLine['cause']['kind'];
  /** The part of a payout that arrives in several credits; 1 of 1 for any other line. */
  readonly part: number;
  readonly parts: number;
  /** The credit that this return debits or this credit repeats. */
  readonly returns_line_id?: string;
  readonly payout_ids: readonly string[];
  readonly item_ids: readonly string[];
  /** Sums of the whole payouts; 0 for an unrelated line. */
  readonly gross_millimes: number;
  readonly fee_millimes: number;
  readonly tva_millimes: number;
}

export interface TruthPayout {
  readonly payout_id: string;
  readonly model: Payout['model'];
  readonly stream: Payout['stream'];
  readonly cut_at: string;
  readonly transfer_at: string;
  readonly gross_millimes: number;
  readonly fee_millimes: number;
  readonly tva_millimes: number;
  readonly net_millimes: number;
  readonly item_ids: readonly string[];
}

/**
 * - `paid`: all of its payout's money is on the statement.
 * - `in_payout`: a cut took it, but not all of its money is on the statement, or it was returned.
 * - `available`, `not_yet`: open.
 * - `cancelled`: a payment and its own refund, which were removed together.
 */
export type TruthItemState = 'paid' | 'in_payout' | 'available' | 'not_yet' | 'cancelled';

export interface TruthItem {
  readonly item_id: string;
  readonly state: TruthItemState;
  readonly payout_id?: string;
  /**
   * Every line with this item in its `item_ids`; for a returned payout the credit, its return and the second credit.
   */
  readonly line_ids: readonly string[];
}

export function payoutTruth(book: PayoutBook, { through, asOf }: TruthRequest): PayoutTruth {
  const payouts = new Map(book.payouts.map((payout) => [payout.payoutId, payout]));
  const lines = inBookingOrder(book.lines.filter(({ bookingDate }) => bookingDate <= through));
  return {
    through,
    as_of: formatInstant(asOf),
    lines: lines.map((line) => truthLine(line, payouts)),
    payouts: [...book.payouts]
      .sort((a, b) => a.cutAt - b.cutAt || compareBytes(a.payoutId, b.payoutId))
      .map(truthPayout),
    items: [...paidItems(payouts, lines), ...openItems(book, asOf)].sort((a, b) => compareBytes(a.item_id, b.item_id)),
  };
}

/** Writes the truth file: fields and rows in a fixed order, so that equal truths have equal bytes. */
export function truthJson(truth: PayoutTruth): string {
  return `${JSON.stringify(truth, undefined, 2)}\n`;
}

function truthLine(line: BankLine, payouts: ReadonlyMap<string, Payout>): TruthLine {
  const { cause } = line;
  const behind = payoutsOf(line, payouts);
  return {
    line_id: line.lineId,
    booking_date: line.bookingDate,
    amount_millimes: line.amountMillimes,
    cause: cause.kind,
    part: cause.kind === 'payout' ? cause.part : 1,
    parts: cause.kind === 'payout' ? cause.parts : 1,
    ...('returnsLineId' in cause ? { returns_line_id: cause.returnsLineId } : {}),
    payout_ids: behind.map(({ payoutId }) => payoutId),
    item_ids: behind.flatMap(itemIdsOf),
    gross_millimes: sumMillimes(behind.map(({ grossMillimes }) => grossMillimes)),
    fee_millimes: sumMillimes(behind.map(({ feeMillimes }) => feeMillimes)),
    tva_millimes: sumMillimes(behind.map(({ tvaMillimes }) => tvaMillimes)),
  };
}

function truthPayout(payout: Payout): TruthPayout {
  return {
    payout_id: payout.payoutId,
    model: payout.model,
    stream: payout.stream,
    cut_at: formatInstant(payout.cutAt),
    transfer_at: formatInstant(payout.transferAt),
    gross_millimes: payout.grossMillimes,
    fee_millimes: payout.feeMillimes,
    tva_millimes: payout.tvaMillimes,
    net_millimes: payout.netMillimes,
    item_ids: itemIdsOf(payout),
  };
}

/**
 * Returns the state of payouts' items. A payout is paid when its lines add up to the sum of the payouts that they
 * contain.
 */
function paidItems(payouts: ReadonlyMap<string, Payout>, lines: readonly BankLine[]): TruthItem[] {
  const linesOf = new Map<string, BankLine[]>();
  for (const line of lines) {
    for (const { payoutId } of payoutsOf(line, payouts)) {
      addToGroup(linesOf, payoutId, line);
    }
  }
  return [...payouts.values()].flatMap((payout) => {
    const carriers = linesOf.get(payout.payoutId) ?? [];
    const [first] = carriers;
    const worth = first === undefined ? [] : payoutsOf(first, payouts);
    const booked = sumMillimes(carriers.map(({ amountMillimes }) => amountMillimes));
    const isPaid = first !== undefined && booked === sumMillimes(worth.map(({ netMillimes }) => netMillimes));
    return itemIdsOf(payout).map((itemId): TruthItem => ({
      item_id: itemId,
      state: isPaid ? 'paid' : 'in_payout',
      payout_id: payout.payoutId,
      line_ids: carriers.map(({ lineId }) => lineId),
    }));
  });
}

function openItems({ open, cancelled }: PayoutBook, asOf: Instant): TruthItem[] {
  const itemIn = (state: TruthItemState, { itemId }: PayableItem): TruthItem => ({
    item_id: itemId,
    state,
    line_ids: [],
  });
  return [
    ...inOrderOfAvailability(open).map((item) => itemIn(item.availableAt <= asOf ? 'available' : 'not_yet', item)),
    ...cancelled.map((item) => itemIn('cancelled', item)),
  ];
}

function payoutsOf({ cause }: BankLine, payouts: ReadonlyMap<string, Payout>): Payout[] {
  const ids = cause.kind === 'unrelated' ? [] : cause.payoutIds;
  return ids.flatMap((id) => payouts.get(id) ?? []);
}
