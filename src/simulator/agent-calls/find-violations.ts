import { isTokenFault } from './agent-caller';
import { mayHaveStored } from './confirm-until-known';
import { attemptsByPayment, codeOf, type ConfirmAttempt, confirmsOf, type DriveAttempt } from './drive-attempt';
import type { PaymentMake } from './plan-drive';

/** A larger share of 5xx and 429 answers is a violation and not a temporary fault. */
const FAILED_SHARE_MAX = 0.05;

/** The rule of the interface behind each kind of violation. */
const SECTION = {
  token_not_refused: '4.6 and 5, rule 3: HTTP 403 on an unauthorized request',
  good_token_refused: '5: a request with a good JWT is authorized',
  unexpected_answer: '4.6: status and fields of the answer',
  wrong_code: '4.6: the codes and their meaning',
  registered_twice: '4.6, Confirm Payment: 3 for a transaction ID that is already registered',
  duplicate_of_nothing: '4.6, Confirm Payment: 3 only for an invalid transaction',
  failing: '4.6: the answers are 200 and 403',
} as const;

export type ViolationKind = keyof typeof SECTION;

/** An answer of the endpoints that the interface does not allow. */
export interface Violation {
  readonly kind: ViolationKind;
  /** The section of the interface, and its rule in short. */
  readonly section: string;
  /** Undefined for a violation of the drive as a whole. */
  readonly transactionId: string | undefined;
  readonly detail: string;
}

const CODES_OF_CHECK = { good: ['0'], bad_amount: ['0'], unknown_agent: ['1'] } as const satisfies CodesByMake;
// A 1 or 2 registers nothing, so the same id never gets a 3 later (open points 88 and 89).
const CODES_OF_CONFIRM = { good: ['0', '3'], bad_amount: ['2'], unknown_agent: ['1'] } as const satisfies CodesByMake;

type CodesByMake = Record<PaymentMake, readonly string[]>;

/**
 * Finds every violation of the interface in a journal, payment by payment; returns an empty list without violations.
 */
export function findViolations(journal: readonly DriveAttempt[]): Violation[] {
  const ofPayments = [...attemptsByPayment(journal).values()].flatMap((attempts) => [
    ...attempts.flatMap(ofAttempt),
    ...ofPayment(confirmsOf(attempts)),
  ]);
  return [...ofPayments, ...ofWhole(journal)];
}

function ofAttempt(attempt: DriveAttempt): Violation[] {
  const { payment, operation, fault, result } = attempt;
  const found = (kind: ViolationKind, detail: string): Violation[] => [
    violation(kind, payment.transactionId, `${operation}: ${detail}`),
  ];
  if (isTokenFault(fault)) {
    if (result.kind === 'answered') return found('token_not_refused', `code ${result.body.code} for ${nameOf(fault)}`);
    if (result.kind === 'unexpected') return found('token_not_refused', `${result.status} for ${nameOf(fault)}`);
    return [];
  }
  if (result.kind === 'refused') return found('good_token_refused', 'the token is the one that was given as good');
  if (result.kind === 'unexpected') return found('unexpected_answer', result.reason);
  if (result.kind !== 'answered') return [];
  const allowed: readonly string[] = (operation === 'check' ? CODES_OF_CHECK : CODES_OF_CONFIRM)[payment.make];
  const { code } = result.body;
  return allowed.includes(code)
    ? []
    : found('wrong_code', `${code} for ${describe(payment.make)}, not ${allowed.join(' or ')}`);
}

/** Checks the confirms of one payment. A confirm stored without a valid token also counts, because it is a payment. */
function ofPayment(confirms: readonly ConfirmAttempt[]): Violation[] {
  const [first] = confirms;
  if (first?.payment.make !== 'good') return [];
  const { transactionId } = first.payment;
  const heard = confirms.filter((attempt) => codeOf(attempt) === '0').length;
  const unheard = confirms.filter(({ result }) => result.kind === 'lost' && result.unheardCode === '0').length;
  if (heard + unheard > 1) {
    const detail = `answered 0 ${heard + unheard} times, ${unheard} of them in replies that were lost on purpose`;
    return [violation('registered_twice', transactionId, detail)];
  }
  const refusedAsDuplicate = confirms.some((attempt) => codeOf(attempt) === '3');
  const somethingWasFirst = heard + unheard > 0 || confirms.some(({ result, fault }) => mayHaveStored(result, fault));
  if (!refusedAsDuplicate || somethingWasFirst) return [];
  const detail = 'answered 3, and no earlier try can have been stored (or this transactionPrefix was driven before)';
  return [violation('duplicate_of_nothing', transactionId, detail)];
}

function ofWhole(journal: readonly DriveAttempt[]): Violation[] {
  const failed = journal.filter(({ result }) => result.kind === 'failed').length;
  const answered = journal.filter(({ result }) => 'status' in result).length;
  if (failed <= answered * FAILED_SHARE_MAX) return [];
  return [violation('failing', undefined, `${failed} of ${answered} answers were 5xx or 429`)];
}

function violation(kind: ViolationKind, transactionId: string | undefined, detail: string): Violation {
  return { kind, section: SECTION[kind], transactionId, detail };
}

/** Names the fault and never shows the token. */
function nameOf(fault: ConfirmAttempt['fault']): string {
  if (fault === 'no_token') return 'a call without a token';
  return fault === 'bad_token' ? 'a token with an altered signature' : 'a token that has expired';
}

function describe(make: PaymentMake): string {
  if (make === 'good') return 'a good call';
  return make === 'unknown_agent' ? 'an unknown agent' : 'a bad amount';
}
