import type { WordList } from './catalog';

const SETTLEMENT: readonly WordList[] = ['settlementStatus'];
const LISTS: Readonly<Record<string, readonly WordList[]>> = {
  resolution: ['resolution'],
  action: ['action'],
  kind: ['action'],
  direction: ['direction'],
  evidence: ['evidence'],
  channel: ['channel'],
  attemptKind: ['paymentKind'],
  requestState: ['requestState'],
  status: ['paymentStatus'],
  method: ['paymentMethod'],
  call: ['observationSource'],
  family: ['webhookFamily'],
  proof: ['webhookProof'],
  state: ['operationState', 'webhookState'],
  outcome: ['webhookOutcome', 'creditAnswer', 'proposalOutcome'],
  cause: ['creditReason'],
  operation: ['operationKind'],
  code: ['ledgerCode'],
  matchKind: ['matchKind'],
  unmatchKind: ['unmatchKind'],
  class: ['breakClass'],
  reason: ['refusalKind'],
};

interface Words {
  word(list: WordList, code: string): string;
  codes(list: WordList): readonly string[];
}

/** Returns the label of the code that a fact of a break or a payment has; undefined for a value that is not a code. */
export function factWord({ word, codes }: Words, name: string, code: string): string | undefined {
  const lists = /settlementStatus|seen|expected/.test(name) ? SETTLEMENT : (LISTS[name] ?? []);
  const list = lists.find((each) => codes(each).includes(code));
  return list === undefined ? undefined : word(list, code);
}
