import type { WordList } from './catalog';

const STATUSES: readonly WordList[] = ['paymentStatus', 'settlementStatus', 'subscriptionStatus', 'breakFact'];
const LISTS: Readonly<Record<string, readonly WordList[]>> = {
  resolution: ['resolution'],
  action: ['action'],
  kind: ['action', 'breakFact'],
  direction: ['direction'],
  evidence: ['evidence'],
  channel: ['channel'],
  attemptKind: ['paymentKind'],
  requestState: ['requestState'],
  status: STATUSES,
  settlementStatus: STATUSES,
  seen: STATUSES,
  expected: STATUSES,
  from: STATUSES,
  to: STATUSES,
  before: STATUSES,
  kept: STATUSES,
  observed: STATUSES,
  method: ['paymentMethod'],
  call: ['observationSource'],
  family: ['webhookFamily'],
  proof: ['webhookProof'],
  state: ['operationState', 'webhookState'],
  outcome: ['webhookOutcome', 'creditAnswer', 'proposalOutcome'],
  cause: ['creditReason'],
  operation: ['operationKind', 'breakFact'],
  of: ['breakFact'],
  field: ['breakFact'],
  source: ['breakFact'],
  refund: ['breakFact'],
  code: ['ledgerCode'],
  matchKind: ['matchKind'],
  unmatchKind: ['unmatchKind'],
  class: ['breakClass'],
  reason: ['refusalKind', 'breakFact'],
};

interface Words {
  word(list: WordList, code: string): string;
  codes(list: WordList): readonly string[];
}

/** Returns the label of the code that a fact of a break or a payment has; undefined for a value that is not a code. */
export function factWord({ word, codes }: Words, name: string, code: string): string | undefined {
  const list = (LISTS[name] ?? []).find((each) => codes(each).includes(code));
  return list === undefined ? undefined : word(list, code);
}
