import {
  type DecidedBreak,
  decidedByTwo,
  linesWrittenOff,
  openBreakStore,
  type ReconBreak,
  type WrittenOffLine,
} from '../breaks';
import type { Session } from '../db';
import { addDays, type BusinessCalendar, type BusinessDate, type Instant, type WorkingDays } from '../kernel';
import { openRecordedItems } from '../payments';
import type { Item, Observation } from '../payout-inference';
import { openStatements, type PayoutCandidate } from '../statements';
import { matchesAsEvidence } from './asserted-payouts';
import { openContradictingObservations } from './contradicting-observation-store';
import { coveredThrough } from './covered-through';
import { type FeeSchedule, openFeeSchedules } from './fee-schedule-store';
import { findReturns, type FoundReturn } from './find-returns';
import { type InterruptedRun, splitMatches } from './interrupted-run';
import { linesOf, type StoredMatch, type Unmatched } from './match';
import { ALWAYS, type AsOf, openMatchStore } from './match-store';
import { notHeldCondition } from './not-held-condition';
import { latestRecorded, readItems } from './read-items';
import { type LastRun, openRunStore } from './run-store';

/** The facts of a run, read in one snapshot. Items of final matches are not read. */
export interface Facts {
  readonly through: BusinessDate;
  /**
   * Items of all channels that no match holds, and items of matches that are returned, interrupted or of a later
   * credit.
   */
  readonly items: readonly Item[];
  /** Observations of those items, and observations that contradict the match of a held item. */
  readonly observations: readonly Observation[];
  /** Credits that may be payouts, in the order of the bank. Those that two people wrote off completely are excluded. */
  readonly credits: readonly PayoutCandidate[];
  /** Partly written-off credits, which only people match. */
  readonly partlyWrittenOff: readonly string[];
  /** Debits that may return the credits. */
  readonly debits: readonly PayoutCandidate[];
  /** Live matches, without those of an interrupted run. */
  readonly matches: readonly StoredMatch[];
  /** Those of them by people which the inference reads as evidence. `items` has their items, too. */
  readonly asserted: readonly StoredMatch[];
  /** The rows of a run that did not finish. */
  readonly interrupted: InterruptedRun;
  /** Matches of payouts that the bank returned. */
  readonly returns: readonly FoundReturn[];
  readonly unmatched: readonly Unmatched[];
  /** The known fees, without those of an interrupted run. */
  readonly schedule: FeeSchedule | undefined;
  readonly lastRun: LastRun | undefined;
  /** The last day that statements cover for all accounts that receive payouts; undefined without a statement. */
  readonly coveredThrough: BusinessDate | undefined;
  readonly openBreaks: readonly ReconBreak[];
  /** Breaks that two people wrote off, wholly or in part, or accepted. */
  readonly decided: readonly DecidedBreak[];
  /** Credits that two people wrote off completely. */
  readonly writtenOffLines: ReadonlySet<string>;
  /** The highest `recorded_at` of these rows; 0 without rows. */
  readonly knownUntil: Instant;
}

export interface FactsRequest {
  readonly through: BusinessDate;
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  /** Limits the facts to those known then (default: all). */
  readonly asOf?: AsOf | undefined;
}

export async function readFacts(
  session: Session,
  { through, calendar, workingDays, asOf }: FactsRequest,
): Promise<Facts> {
  const lastRunId = await openRunStore(session).lastIdBefore((asOf ?? ALWAYS).beforeRunId);
  const live = await openMatchStore(session).live(asOf);
  const { matches, interrupted } = splitMatches(live, lastRunId, asOf);
  const unmatched = await openMatchStore(session).unmatched(asOf);
  const { paidInto, ...lines } = await readLines(session, { through, asOf, live });
  const { credits, debits } = lines;
  const returns = findReturns({ matches, unmatched, credits, debits }, workingDays);
  const asserted = matchesAsEvidence(matches, credits);
  const knownUntil = asOf?.knownUntil;
  const before = calendar.startOf(addDays(through, 1));
  const filter = {
    before,
    knownUntil,
    wanted: notHeldCondition(asOf, letGo({ matches, returns, credits, interrupted, asserted })),
  };
  const { items, recordedAt } = await readItems(session, filter);
  const observations = [
    ...(await openRecordedItems(session).observations(filter)),
    ...(await openContradictingObservations(session).list(before, asOf)),
  ];
  const openBreaks = await openBreakStore(session).list({});
  return {
    through,
    items,
    observations,
    ...lines,
    matches,
    asserted,
    returns,
    unmatched,
    ...(await readSchedules(session, interrupted, asOf === undefined ? lastRunId : undefined)),
    lastRun: await openRunStore(session).last(),
    coveredThrough: coveredThrough(await openStatements(session).coverage(), paidInto),
    openBreaks,
    decided: await decidedByTwo(session, openBreaks),
    knownUntil: Math.max(
      recordedAt,
      ...[observations, live, unmatched].map(latestRecorded),
      ...[credits, debits].map((lines) => lines.reduce((latest, { importedAt }) => Math.max(latest, importedAt), 0)),
    ),
  };
}

/** Reads the fee schedules; a replay gets the stored fees of its run instead. */
async function readSchedules(
  session: Session,
  matches: readonly StoredMatch[],
  lastRunId: string | undefined,
): Promise<Pick<Facts, 'schedule' | 'interrupted'>> {
  const schedules = openFeeSchedules(session);
  const current = await schedules.current();
  const schedule = lastRunId === undefined ? current : await schedules.upTo(lastRunId);
  return { schedule, interrupted: { matches, schedule: current?.id === schedule?.id ? undefined : current } };
}

interface LinesRequest {
  readonly through: BusinessDate;
  readonly asOf: AsOf | undefined;
  readonly live: readonly StoredMatch[];
}

type Lines = Pick<Facts, 'credits' | 'debits' | 'partlyWrittenOff' | 'writtenOffLines'> & {
  readonly paidInto: ReadonlySet<string>;
};

/**
 * Reads the bank lines. A statement may be accepted long after its import, and a repetition in another file may make a
 * line effective later, or repeated, and a person may decide otherwise about a credit. So a past run gets the lines that it
 * stored, and the lines matched by then.
 */
async function readLines(session: Session, { through, asOf, live }: LinesRequest): Promise<Lines> {
  const statements = openStatements(session);
  const noted = asOf?.openLineIds;
  const request = {
    through,
    importedUntil: noted === undefined ? asOf?.knownUntil : undefined,
    decidedUntil: asOf?.readAt,
    // A line of a past run may be no payout any more. A version that stored no lines knew no decisions either.
    marks: asOf === undefined ? 'last' : noted === undefined ? 'none' : 'ever',
  } as const;
  const seen = noted === undefined ? undefined : new Set([...noted, ...live.flatMap(linesOf)]);
  const ofThen = (lines: readonly PayoutCandidate[]): readonly PayoutCandidate[] =>
    seen === undefined ? lines : lines.filter(({ lineId }) => seen.has(lineId));
  const credits = ofThen(await statements.payoutCandidates(request));
  const debits = ofThen(await statements.possibleReturns(request));
  const written = await writtenOff(session, credits, live, asOf?.readAt);
  return {
    // Two people closed the credit's break: it is not a payout, and its money is in the ledger.
    credits: credits.filter(({ lineId }) => written.get(lineId)?.extent !== 'all'),
    partlyWrittenOff: linesOfExtent(written, 'part'),
    writtenOffLines: new Set(linesOfExtent(written, 'all')),
    debits,
    paidInto: new Set(credits.map(({ account }) => account)),
  };
}

function linesOfExtent(written: ReadonlyMap<string, WrittenOffLine>, extent: WrittenOffLine['extent']): string[] {
  return [...written].flatMap(([lineId, each]) => (each.extent === extent ? [lineId] : []));
}

function writtenOff(
  session: Session,
  credits: readonly PayoutCandidate[],
  matches: readonly StoredMatch[],
  asOf: Instant | undefined,
): Promise<ReadonlyMap<string, WrittenOffLine>> {
  const matched = new Set(matches.flatMap(linesOf));
  return linesWrittenOff(
    session,
    credits.map(({ lineId }) => lineId).filter((lineId) => !matched.has(lineId)),
    { asOf },
  );
}

/**
 * Returns the matches whose items are read again: returned ones, interrupted ones, asserted ones, and those of credits
 * after the day.
 */
function letGo({
  matches,
  returns,
  credits,
  interrupted,
  asserted,
}: Pick<Facts, 'matches' | 'returns' | 'credits' | 'asserted'> & {
  readonly interrupted: readonly StoredMatch[];
}): string[] {
  const lines = new Set(credits.map(({ lineId }) => lineId));
  const ofLater = matches.filter(({ lineId }) => !lines.has(lineId));
  return [
    ...new Set([...returns.map(({ match }) => match), ...ofLater, ...interrupted, ...asserted].map(({ id }) => id)),
  ];
}
