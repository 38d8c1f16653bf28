import type { BusinessDate } from '../../kernel';
import type { BankLine, MatchRequest } from '../match-request';
import type { FoundBreak, Inference } from '../match-result';
import { DayTable } from './day-table';
import type { Grace } from './grace';
import { type CadenceOf, learnCadence } from './learn-cadence';

/** What every class of break is judged by. */
export interface BreakContext {
  readonly request: MatchRequest;
  readonly inference: Inference;
  readonly grace: Grace;
  /** Up to this day differences age. Undefined while no statement covers any day: then nothing is late. */
  readonly horizon: BusinessDate | undefined;
  readonly days: DayTable;
  readonly lines: ReadonlyMap<string, BankLine>;
  readonly cadenceOf: CadenceOf;
  /** Credits that the bank debited back and that did not come again: what they paid is owed once more. */
  readonly returnedLineIds: ReadonlySet<string>;
}

/** A break that keeps its name from run to run, while its items and its amount may change. */
export interface NamedBreak extends FoundBreak {
  readonly fingerprint: string;
}

export function breakContext(
  request: MatchRequest,
  inference: Inference,
  { grace, horizon }: Pick<BreakContext, 'grace' | 'horizon'>,
): BreakContext {
  const days = new DayTable(request.calendar, request.workingDays);
  const lines = new Map(request.lines.map((line) => [line.lineId, line]));
  const notPaidAgain = inference.returned.filter(({ paidAgainLineId }) => paidAgainLineId === undefined);
  return {
    request,
    inference,
    grace,
    horizon,
    days,
    lines,
    cadenceOf: learnCadence(request, inference, lines, days),
    returnedLineIds: new Set(notPaidAgain.map(({ lineId }) => lineId)),
  };
}
