import type { BusinessDate } from '../kernel';
import { breakContext, DEFAULT_GRACE, type Grace, type NamedBreak } from './breaks/break-context';
import { findBreaks } from './breaks/find-breaks';
import { itemStates, type UnsettledItem } from './breaks/item-states';
import { inferPayouts } from './infer-payouts';
import type { MatchRequest } from './match-request';
import type { Inference, MatchResult } from './match-result';

export interface MatchOptions {
  /**
   * Differences age up to this day: the earlier of the run's cut-off and the last day that the statements cover. By
   * default the last booking date of the lines, so that a late bank file ages nothing.
   */
  readonly horizon?: BusinessDate | undefined;
  /**
   * The first booking of the bank; what was due by then is one break. By default that of the lines and of earlier
   * payouts.
   */
  readonly firstBooking?: BusinessDate | undefined;
  /** In working days. Omitted fields have their defaults. */
  readonly grace?: Partial<Grace> | undefined;
}

/** A result whose breaks have the same names in every run. */
export interface MatchOutcome extends MatchResult {
  /** The items that no credit paid, with the days on which the bank should book them. */
  readonly open: readonly UnsettledItem[];
  readonly breaks: readonly NamedBreak[];
}

/** Infers which items each credit paid, and reports the rest: the states of the items, and the breaks. Pure. */
export function matchPayouts(request: MatchRequest, options: MatchOptions = {}): MatchOutcome {
  return judgeInference(request, inferPayouts(request), options);
}

/** Performs the second half of `matchPayouts` for an existing inference, which must be of this request. */
export function judgeInference(
  request: MatchRequest,
  inference: Inference,
  { horizon = bookingsOf(request.lines).at(-1), firstBooking = firstBookingOf(request), grace }: MatchOptions = {},
): MatchOutcome {
  const context = breakContext(request, inference, { horizon, firstBooking, grace: { ...DEFAULT_GRACE, ...grace } });
  const { items, open, unsettled } = itemStates(context);
  const { model, fees, credits } = inference;
  return { model, fees, credits, items, open, breaks: findBreaks(unsettled, context) };
}

function firstBookingOf({ lines, history, asserted }: MatchRequest): BusinessDate | undefined {
  return bookingsOf([...lines, ...(history?.payouts ?? []), ...(asserted ?? []).map(({ line }) => line)])[0];
}

function bookingsOf(booked: readonly { readonly bookingDate: BusinessDate }[]): BusinessDate[] {
  return booked.map(({ bookingDate }) => bookingDate).sort();
}
