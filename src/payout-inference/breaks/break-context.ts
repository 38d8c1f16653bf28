import type { BusinessDate } from '../../kernel';
import type { BankLine, MatchRequest } from '../match-request';
import type { FoundBreak, Inference } from '../match-result';
import { DayTable } from './day-table';
import { type CadenceOf, learnCadence } from './learn-cadence';

/**
 * The number of working days after which a difference becomes a break. A class without a field becomes one immediately.
 */
export interface Grace {
  /** Counted from the working day after the cut. */
  readonly missingInBank: number;
  /** Counted from the booking. */
  readonly missingInBook: number;
  /** Counted from the working day after the payment. */
  readonly lateSettlement: number;
}

export const DEFAULT_GRACE: Grace = { missingInBank: 3, missingInBook: 2, lateSettlement: 2 };

/** The facts by which all classes of breaks are judged. */
export interface BreakContext {
  readonly request: MatchRequest;
  readonly inference: Inference;
  readonly grace: Grace;
  /** Differences age up to this day. Undefined while no statement covers any day: then nothing is late. */
  readonly horizon: BusinessDate | undefined;
  /** The first booking of the bank. Undefined without any. */
  readonly firstBooking: BusinessDate | undefined;
  readonly days: DayTable;
  readonly lines: ReadonlyMap<string, BankLine>;
  readonly cadenceOf: CadenceOf;
  /**
   * Credits that the bank debited back and that were not paid again. The gateway still owes the items that they paid.
   */
  readonly returnedLineIds: ReadonlySet<string>;
}

/** A break that has the same name in every run, although its items and its amount may change. */
export interface NamedBreak extends FoundBreak {
  readonly fingerprint: string;
}

export function breakContext(
  request: MatchRequest,
  inference: Inference,
  { grace, horizon, firstBooking }: Pick<BreakContext, 'grace' | 'horizon' | 'firstBooking'>,
): BreakContext {
  const days = new DayTable(request.calendar, request.workingDays);
  const lines = new Map(request.lines.map((line) => [line.lineId, line]));
  const notPaidAgain = inference.returned.filter(({ paidAgainLineId }) => paidAgainLineId === undefined);
  return {
    request,
    inference,
    grace,
    horizon,
    firstBooking,
    days,
    lines,
    cadenceOf: learnCadence(request, inference, lines, days),
    returnedLineIds: new Set(notPaidAgain.map(({ lineId }) => lineId)),
  };
}
