import { type BusinessDate, type Millimes, millimes, negateMillimes, ZERO_MILLIMES } from '../kernel';
import { feeOn, type FeeRule, feeRuleOn, type Item } from '../payout-inference';

/** The fee and TVA of one item. */
export interface ItemFee {
  readonly fee: Millimes;
  readonly tva: Millimes;
}

/** A payout with its total fees. */
export interface FeesToAllocate {
  readonly items: readonly Item[];
  readonly fee: Millimes;
  readonly tva: Millimes;
  readonly rules: readonly FeeRule[];
  /** Candidate days by which the gateway may choose an item's rule. The first one whose fees add up is used. */
  readonly daysOf: readonly ((item: Item) => BusinessDate)[];
}

const NOTHING: ItemFee = { fee: ZERO_MILLIMES, tva: ZERO_MILLIMES };
const CLAWBACKS = ['kept', 'returned'] as const;

/**
 * Returns the fee of each item under the rules, in the order of the items, if they add up to the fees of the payout.
 * Otherwise, and if the rules charge the payout as a whole, the items have no fee: the rest is a fee of the payout.
 * Pure.
 */
export function allocateFees({ items, fee, tva, rules, daysOf }: FeesToAllocate): ItemFee[] {
  if (!rules.some(({ basis }) => basis === 'item')) return items.map(() => NOTHING);
  const mayLeaveRest = rules.some(({ basis }) => basis === 'payout');
  for (const dayOf of daysOf) {
    for (const clawback of CLAWBACKS) {
      const shares = items.map((item) => shareOf(item, rules, dayOf(item), clawback));
      if (addsUp(shares, fee, tva, mayLeaveRest)) return shares;
    }
  }
  return items.map(() => NOTHING);
}

function shareOf(
  item: Item,
  rules: readonly FeeRule[],
  day: BusinessDate,
  clawback: (typeof CLAWBACKS)[number],
): ItemFee {
  if (item.amount > 0) return feeOfItem(item, rules, day);
  if (clawback === 'kept') return NOTHING;
  const { fee, tva } = feeOfItem({ ...item, amount: negateMillimes(item.amount) }, rules, day);
  return { fee: negateMillimes(fee), tva: negateMillimes(tva) };
}

/** Returns the fee of one item on a day; none for a refund, and none if the rule charges payouts. Pure. */
export function feeOfItem(
  { channel, amount }: Pick<Item, 'channel' | 'amount'>,
  rules: readonly FeeRule[],
  day: BusinessDate,
): ItemFee {
  const rule = amount > 0 ? feeRuleOn(rules, channel, day) : undefined;
  if (rule?.basis !== 'item') return NOTHING;
  const { fee, tva } = feeOn(amount, rule);
  return { fee: millimes(fee), tva: millimes(tva) };
}

function addsUp(shares: readonly ItemFee[], fee: Millimes, tva: Millimes, mayLeaveRest: boolean): boolean {
  const fees = shares.reduce((sum, share) => sum + share.fee, 0);
  const tvas = shares.reduce((sum, share) => sum + share.tva, 0);
  return mayLeaveRest ? fees <= fee && tvas <= tva : fees === fee && tvas === tva;
}
