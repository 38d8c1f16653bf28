import { linesWrittenOff, openBreakStore, type ReconBreak } from '../breaks';
import type { Session } from '../db';
import { addDays, type BusinessCalendar, type BusinessDate, type Instant, type WorkingDays } from '../kernel';
import { openRecordedItems } from '../payments';
import type { Item, Observation } from '../payout-inference';
import { openStatements, type PayoutCandidate } from '../statements';
import { coveredThrough } from './covered-through';
import { openContradictingObservations } from './contradicting-observation-store';
import { openFeeSchedules, type FeeSchedule } from './fee-schedule-store';
import { findReturns, type FoundReturn } from './find-returns';
import { notHeldCondition } from './not-held-condition';
import { linesOf, type StoredMatch, type Unmatched } from './match';
import { ALWAYS, openMatchStore, type AsOf } from './match-store';
import { latestRecorded, readItems } from './read-items';
import { openRunStore, type LastRun } from './run-store';
import { splitMatches, type InterruptedRun } from './interrupted-run';

/** Everything that a run knows, read in one snapshot. What is settled and stays so is left where it is. */
export interface Facts {
  readonly through: BusinessDate;
  /** Of all channels: those that no match holds, or one that falls, was interrupted, or is of a credit after the day. */
  readonly items: readonly Item[];
  /** Of those items; and of held ones what speaks against their match. */
  readonly observations: readonly Observation[];
  /** What may be payouts, in the order of the bank, without what two people wrote off whole. */
  readonly credits: readonly PayoutCandidate[];
  /** Credits of which a part is written off: they are matched by people only. */
  readonly partlyWrittenOff: readonly string[];
  /** Debits that may be returns of them. */
  readonly debits: readonly PayoutCandidate[];
  /** Those that hold, without those of an interrupted run. */
  readonly matches: readonly StoredMatch[];
  /** What a run has stored that did not end. */
  readonly interrupted: InterruptedRun;
  /** The matches that fall, because the bank took their money back. */
  readonly returns: readonly FoundReturn[];
  readonly unmatched: readonly Unmatched[];
  /** The known fees, without those of an interrupted run. */
  readonly schedule: FeeSchedule | undefined;
  readonly lastRun: LastRun | undefined;
  /** The last day that the statements cover of every account into which we are paid; undefined without any statement. */
  readonly coveredThrough: BusinessDate | undefined;
  readonly openBreaks: readonly ReconBreak[];
  /** The highest `recorded_at` of all of this; 0 when there is nothing. */
  readonly knownUntil: Instant;
}

export interface FactsRequest {
  readonly through: BusinessDate;
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  /** Only what was known then; everything when it is not given. */
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
  const { credits, partlyWrittenOff, debits, paidInto } = await readLines(session, { through, asOf, live });
  const returns = findReturns({ matches, unmatched, credits, debits }, workingDays);
  const knownUntil = asOf?.knownUntil;
  const before = calendar.startOf(addDays(through, 1));
  const filter = {
    before,
    knownUntil,
    wanted: notHeldCondition(asOf, letGo({ matches, returns, credits, interrupted })),
  };
  const { items, recordedAt } = await readItems(session, filter);
  const observations = [
    ...(await openRecordedItems(session).observations(filter)),
    ...(await openContradictingObservations(session).list(before, asOf)),
  ];
  return {
    through,
    items,
    observations,
    credits,
    partlyWrittenOff,
    debits,
    matches,
    returns,
    unmatched,
    ...(await readSchedules(session, interrupted, asOf === undefined ? lastRunId : undefined)),
    lastRun: await openRunStore(session).last(),
    coveredThrough: coveredThrough(await openStatements(session).coverage(), paidInto),
    openBreaks: await openBreakStore(session).list({}),
    knownUntil: Math.max(
      recordedAt,
      ...[observations, live, unmatched].map(latestRecorded),
      ...[credits, debits].map((lines) => lines.reduce((latest, { importedAt }) => Math.max(latest, importedAt), 0)),
    ),
  };
}

/** A run of the past is given the fees that it noted. */
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

type Lines = Pick<Facts, 'credits' | 'debits' | 'partlyWrittenOff'> & { readonly paidInto: ReadonlySet<string> };

/**
 * The lines of the bank. A statement may be accepted long after it came, and a line may count since another file brought
 * it again: so a run of the past sees the lines that it noted, and those that were matched by then.
 */
async function readLines(session: Session, { through, asOf, live }: LinesRequest): Promise<Lines> {
  const statements = openStatements(session);
  const noted = asOf?.openLineIds;
  const request = { through, importedUntil: noted === undefined ? asOf?.knownUntil : undefined };
  const seen = noted === undefined ? undefined : new Set([...noted, ...live.flatMap(linesOf)]);
  const ofThen = (lines: readonly PayoutCandidate[]): readonly PayoutCandidate[] =>
    seen === undefined ? lines : lines.filter(({ lineId }) => seen.has(lineId));
  const credits = ofThen(await statements.payoutCandidates(request));
  const debits = ofThen(await statements.possibleReturns(request));
  const written = await writtenOff(session, credits, live, asOf?.readAt);
  return {
    // What two people closed is decided: it is no payout, and its money is in the books.
    credits: credits.filter(({ lineId }) => written.get(lineId) !== 'all'),
    partlyWrittenOff: [...written].flatMap(([lineId, much]) => (much === 'part' ? [lineId] : [])),
    debits,
    paidInto: new Set(credits.map(({ account }) => account)),
  };
}

function writtenOff(
  session: Session,
  credits: readonly PayoutCandidate[],
  matches: readonly StoredMatch[],
  asOf: Instant | undefined,
): Promise<ReadonlyMap<string, 'all' | 'part'>> {
  const matched = new Set(matches.flatMap(linesOf));
  return linesWrittenOff(
    session,
    credits.map(({ lineId }) => lineId).filter((lineId) => !matched.has(lineId)),
    { asOf },
  );
}

/** The matches whose items are read again: falling ones, interrupted ones, and those of credits after the day. */
function letGo({
  matches,
  returns,
  credits,
  interrupted,
}: Pick<Facts, 'matches' | 'returns' | 'credits'> & { readonly interrupted: readonly StoredMatch[] }): string[] {
  const lines = new Set(credits.map(({ lineId }) => lineId));
  const ofLater = matches.filter(({ lineId }) => !lines.has(lineId));
  return [...new Set([...returns.map(({ match }) => match), ...ofLater, ...interrupted].map(({ id }) => id))];
}
