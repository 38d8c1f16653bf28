import { parseBusinessDate, parseInstant } from '../kernel';
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

type ValueKind = 'amount' | 'day' | 'instant' | 'duration';

/** The kinds of values, by their name or the last word of it. */
const KINDS: ReadonlyMap<string, ValueKind> = new Map([
  ...['amount', 'Millimes'].map((name) => [name, 'amount'] as const),
  ...['day', 'date', 'later', 'expected', 'through', 'periodStart', 'On', 'Date'].map((name) => [name, 'day'] as const),
  ...['at', 'notBefore', 'At'].map((name) => [name, 'instant'] as const),
  ['Ms', 'duration'],
]);

/**
 * Returns what a parameter or a fact means; undefined if it is shown as it is. The name decides, which is the code's: an
 * id may look like a day. A value of another form, such as one that an older version stored, has no kind.
 */
export function kindOf(name: string, value: unknown): ValueKind | undefined {
  const kind = KINDS.get(name) ?? KINDS.get(/[A-Z][a-z]+$/.exec(name)?.[0] ?? '');
  const text = String(value);
  if (kind === 'day') return parseBusinessDate(text) === undefined ? undefined : kind;
  if (kind === 'instant') return parseInstant(text) === undefined ? undefined : kind;
  return /^-?\d+$/.test(text) ? kind : undefined;
}
