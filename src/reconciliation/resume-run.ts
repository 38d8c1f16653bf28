import type { WorkingDays } from '../kernel';
import type { Facts } from './facts';
import { writeFeeRules } from './fee-rules-json';
import type { FeeSchedule } from './fee-schedule-store';
import { findReturns } from './find-returns';
import type { InterruptedRun } from './interrupted-run';
import type { NewMatch, StoredMatch } from './match';

/** Returns the same facts with the interrupted run as a part of the history. Pure. */
export function asHistory(facts: Facts, workingDays: WorkingDays): Facts {
  const { interrupted, credits, debits, unmatched } = facts;
  const matches = [...facts.matches, ...interrupted.matches].sort(
    (a, b) => a.recordedAt - b.recordedAt || (a.id < b.id ? -1 : 1),
  );
  return {
    ...facts,
    matches,
    returns: findReturns({ matches, unmatched, credits, debits }, workingDays),
    schedule: interrupted.schedule ?? facts.schedule,
    interrupted: { matches: [], schedule: undefined },
  };
}

/**
 * Returns the new matches. A match that an interrupted run stored with the same money keeps its stored id and evidence.
 * Pure.
 */
export function asStored(made: readonly NewMatch[], { matches }: InterruptedRun): readonly NewMatch[] {
  if (matches.length === 0) return made;
  const stored = new Map(matches.map((match) => [match.lineId, match]));
  return made.map((match) => {
    const before = stored.get(match.lineId);
    if (before === undefined || moneyOf(before) !== moneyOf(match)) return match;
    const { runId: _runId, recordedAt: _recordedAt, ...same } = before;
    return { ...same, bookingDate: match.bookingDate };
  });
}

/** Returns whether new matches and learned fees include everything that the interrupted run stored. Pure. */
export function hasAllOf(
  { matches, schedule }: InterruptedRun,
  made: { readonly matches: readonly NewMatch[]; readonly learned: object | undefined },
): boolean {
  const ids = new Set(made.matches.map(({ id }) => id));
  return matches.every(({ id }) => ids.has(id)) && (schedule === undefined || made.learned !== undefined);
}

export function isStoredSchedule(learned: Pick<FeeSchedule, 'rules'>, { schedule }: InterruptedRun): boolean {
  return schedule !== undefined && writeFeeRules(schedule.rules) === writeFeeRules(learned.rules);
}

/** Returns the postings of a match as a comparable text. */
function moneyOf({ gross, fee, tva, remainder, restChannel, parts, returned }: NewMatch | StoredMatch): string {
  return JSON.stringify([
    ...[gross, fee, tva, remainder, restChannel, returned?.creditLineId, returned?.debitLineId],
    parts.map((part) => [part.itemId, part.amount, part.fee, part.tva]),
  ]);
}
