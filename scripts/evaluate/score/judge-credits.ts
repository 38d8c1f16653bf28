import { counted } from '../../../src/kernel';
import type { InferredCredit } from '../../../src/payout-inference';
import type { TrueLine } from '../world';
import { WHOLE_KINDS } from './payout-cases';
import { isSameItems, withoutPairs } from './same-items';
import type { TrueBook } from './true-book';

/** The judgment of one credit, beside the engine's answer. */
export interface JudgedCredit {
  readonly credit: InferredCredit;
  readonly truth: TrueLine | undefined;
  /** Identifies the payout, so that both credits of a returned payout count as one. */
  readonly payoutKey: string;
  readonly verdict: 'exact' | 'wrong' | 'not resolved';
  /** The reason why it is wrong, in a few words; otherwise empty. */
  readonly why: string;
  readonly coreFalse: readonly string[];
  readonly proposal: 'none' | 'right' | 'wrong';
}

/** Judges every credit by the truth. Pairs of a payment and its own refund count on neither side. */
export function judgeCredits(credits: readonly InferredCredit[], book: TrueBook): JudgedCredit[] {
  const usedPayouts = new Set<string>();
  return credits.map((credit) => {
    const truth = book.lines.get(credit.lineId);
    const payoutKey = payoutKeyOf(credit.lineId, truth, book);
    const fault = credit.outcome === 'resolved' ? faultOf(credit, truth, book) : '';
    const isTwice = credit.outcome === 'resolved' && fault === '' && usedPayouts.has(payoutKey);
    if (credit.outcome === 'resolved') usedPayouts.add(payoutKey);
    const why = isTwice ? 'its items are paid by its other credit already' : fault;
    return {
      credit,
      truth,
      payoutKey,
      verdict: credit.outcome !== 'resolved' ? 'not resolved' : why === '' ? 'exact' : 'wrong',
      why,
      coreFalse: credit.outcome === 'resolved' ? [] : coreFalseOf(credit, truth, book),
      proposal: proposalOf(credit, truth, book),
    };
  });
}

/** Returns the key of a credit's payout: its items if the payout has two credits, otherwise the credit itself. */
export function payoutKeyOf(lineId: string, truth: TrueLine | undefined, { refunds }: TrueBook): string {
  const isReturned = truth?.kind === 'returned_credit' || truth?.kind === 'paid_again';
  return isReturned ? withoutPairs(truth.itemIds, refunds).join('\n') : lineId;
}

function faultOf({ itemIds }: InferredCredit, truth: TrueLine | undefined, { refunds }: TrueBook): string {
  if (truth === undefined || truth.kind === 'unrelated') return 'another payer sent it';
  if (!WHOLE_KINDS.has(truth.kind)) return `it is no whole payout but ${truth.kind}`;
  if (truth.unknownMillimes !== 0) return `${truth.unknownMillimes} millimes of it are of no known item`;
  return isSameItems(itemIds, truth.itemIds, refunds) ? '' : differenceOf(itemIds, truth.itemIds);
}

function differenceOf(stated: readonly string[], paid: readonly string[]): string {
  const inStated = new Set(stated);
  const inPaid = new Set(paid);
  const tooMany = stated.filter((itemId) => !inPaid.has(itemId)).length;
  const missing = paid.filter((itemId) => !inStated.has(itemId)).length;
  return `${counted(tooMany, 'item')} too many, ${missing} missing of ${paid.length}`;
}

function coreFalseOf({ commonCore }: InferredCredit, truth: TrueLine | undefined, book: TrueBook): string[] {
  const paid = new Set(truth?.itemIds);
  return withoutPairs(commonCore, book.refunds).filter(
    (itemId) => !paid.has(itemId) && book.trueItems.get(itemId)?.cancelled !== true,
  );
}

function proposalOf(
  { proposal, outcome }: InferredCredit,
  truth: TrueLine | undefined,
  { refunds }: TrueBook,
): JudgedCredit['proposal'] {
  if (proposal.length === 0 || outcome === 'resolved') return 'none';
  const isPayout = truth !== undefined && WHOLE_KINDS.has(truth.kind) && truth.unknownMillimes === 0;
  return isPayout && isSameItems(proposal, truth.itemIds, refunds) ? 'right' : 'wrong';
}
