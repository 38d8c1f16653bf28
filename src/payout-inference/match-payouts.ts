import type { BusinessDate } from '../kernel';
import { breakContext, type NamedBreak } from './breaks/break-context';
import { findBreaks } from './breaks/find-breaks';
import { DEFAULT_GRACE, type Grace } from './breaks/grace';
import { itemStates } from './breaks/item-states';
import { inferPayouts } from './infer-payouts';
import type { BankLine, MatchRequest } from './match-request';
import type { Inference, MatchResult } from './match-result';

export interface MatchOptions {
  /**
   * Up to this day differences age: the earlier of the run's cut-off and the last day that the statements cover. Without
   * it the last booking date of the lines, so that a bank file that is late makes nothing older.
   */
  readonly horizon?: BusinessDate | undefined;
  /** Working days; what is left out keeps its default. */
  readonly grace?: Partial<Grace> | undefined;
}

/** A result whose breaks keep their names from run to run. */
export interface MatchOutcome extends MatchResult {
  readonly breaks: readonly NamedBreak[];
}

/** Infers which items each credit paid, and names what is left: the states of the items, and the breaks. Pure. */
export function matchPayouts(request: MatchRequest, options: MatchOptions = {}): MatchOutcome {
  return judgeInference(request, inferPayouts(request), options);
}

/** The second half of `matchPayouts`, for an inference that is there already. `inference` is of this very request. */
export function judgeInference(
  request: MatchRequest,
  inference: Inference,
  { horizon = lastBookingDate(request.lines), grace }: MatchOptions = {},
): MatchOutcome {
  const context = breakContext(request, inference, { horizon, grace: { ...DEFAULT_GRACE, ...grace } });
  const { items, unsettled } = itemStates(context);
  const { model, fees, credits } = inference;
  return { model, fees, credits, items, breaks: findBreaks(unsettled, context) };
}

function lastBookingDate(lines: readonly BankLine[]): BusinessDate | undefined {
  return lines.reduce<BusinessDate | undefined>(
    (last, { bookingDate }) => (last === undefined || bookingDate > last ? bookingDate : last),
    undefined,
  );
}
