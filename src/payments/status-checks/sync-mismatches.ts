import type { ReconBreak } from '../../breaks';
import type { BusinessDate } from '../../kernel';
import type { Mismatch } from '../channel';
import type { Payment } from '../payment';
import type { StatusCheckDecision } from './apply-status-check';
import { AGREES_AGAIN, isHeldBack, mismatchBreak } from './webhook-mismatch';

export interface MismatchesOfCheck {
  readonly source: string;
  readonly since: BusinessDate;
  readonly found: readonly Mismatch[];
  /** The fields that the answer contains and that agree, if an answer may omit fields: only these resolve a break. */
  readonly agreeing?: readonly string[];
  /** All mismatches of the payment so far, including resolved ones. */
  readonly known: readonly ReconBreak[];
}

/**
 * Returns the breaks of the current differences. Breaks of the same source whose difference ended are resolved, and
 * reopened if it returns. `isHeld` says whether a difference still prevents posting. Pure.
 */
export function syncMismatches(
  payment: Payment,
  { source, since, found, agreeing, known }: MismatchesOfCheck,
): Required<Pick<StatusCheckDecision, 'breaks' | 'resolve' | 'reopen'>> & { readonly isHeld: boolean } {
  const breaks = found.map((mismatch) => mismatchBreak(payment, mismatch, { source, since }));
  const differing = new Map(breaks.map((each) => [each.fingerprint, each]));
  const agrees = ({ fingerprint, subject: { facts } }: ReconBreak): boolean =>
    agreeing === undefined ? !differing.has(fingerprint) : agreeing.includes(String(facts['field']));
  const gone = known.filter(
    (each) => each.status !== 'resolved' && each.subject.facts['source'] === source && agrees(each),
  );
  const reopen = known.flatMap(({ id, fingerprint, status, resolution }) => {
    const now = differing.get(fingerprint);
    return now !== undefined && status === 'resolved' && resolution === AGREES_AGAIN ? [{ id, now }] : [];
  });
  // A difference that a person has decided about does not prevent posting.
  const decided = known.filter(({ status, resolution }) => status === 'resolved' && resolution !== AGREES_AGAIN);
  const isUndecided = breaks.some((each) => !decided.some(({ fingerprint }) => fingerprint === each.fingerprint));
  return {
    breaks,
    resolve: gone.map(({ id }) => ({ id, resolution: AGREES_AGAIN })),
    reopen,
    isHeld: isUndecided || isHeldBack(known.filter((each) => !gone.includes(each))),
  };
}
