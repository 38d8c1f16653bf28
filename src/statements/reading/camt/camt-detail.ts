import { type Decimal, negateDecimal } from '../decimal';
import type { LineDetail } from '../parsed-statement';
import type { DetailDraft, MoneyDraft, PartyDraft } from './camt-drafts';

export interface DetailContext {
  /** The side of the entry, for a transaction without its own. */
  readonly side: MoneyDraft['side'];
  readonly ownAccount: string;
}

/** Returns a transaction of an entry. The transactions of a batch may be of both sides. */
export function lineDetail(draft: DetailDraft, { side: entrySide, ownAccount }: DetailContext): LineDetail {
  const side = draft.side ?? entrySide;
  const amount = draft.amount ?? draft.transactionAmount;
  const party = otherParty(draft, side, ownAccount);
  return {
    amount: amount && signed(amount, side),
    currency: draft.amount === undefined ? draft.transactionCurrency : draft.currency,
    endToEndId: draft.endToEndId,
    bankReference: draft.bankReference,
    counterparty: party.name === '' ? party.ultimateName : party.name,
    counterpartyAccount: party.account,
    remittance: remittanceOf(draft),
  };
}

/** Returns a positive amount for a credit; undefined without a side. */
export function signed(amount: Decimal, side: MoneyDraft['side']): Decimal | undefined {
  if (side === undefined) return undefined;
  return side === 'credit' ? amount : negateDecimal(amount);
}

/** Returns the number of characters of a transaction in memory. */
export function detailCharacters(detail: LineDetail): number {
  return (
    detail.endToEndId.length +
    detail.bankReference.length +
    detail.counterparty.length +
    detail.counterpartyAccount.length +
    detail.remittance.length
  );
}

function otherParty({ debtor, creditor }: DetailDraft, side: MoneyDraft['side'], ownAccount: string): PartyDraft {
  const [other, own] = side === 'debit' ? [creditor, debtor] : [debtor, creditor];
  // A returned payment keeps the roles of the original one, so the account's owner may be in the place of the other
  // side.
  const swapped = other.account !== '' && other.account === ownAccount;
  return swapped && own.account !== '' && own.account !== ownAccount ? own : other;
}

function remittanceOf({ unstructured, structured, additional }: DetailDraft): string {
  const said = unstructured !== '' && structured !== '' ? `${unstructured} ${structured}` : unstructured + structured;
  return said === '' ? additional : said;
}
