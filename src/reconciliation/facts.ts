import { linesWrittenOff, openBreakBook, type ReconBreak } from '../breaks';
import type { Session } from '../db';
import { addDays, type BusinessCalendar, type BusinessDate, type Instant, type WorkingDays } from '../kernel';
import { openRecordedItems } from '../payments';
import type { Item, Observation } from '../payout-inference';
import { openStatements, type PayoutCandidate } from '../statements';
import { coveredThrough } from './covered-through';
import { openDoubtingLooks } from './doubting-look-store';
import { openFeeSchedules, type FeeSchedule } from './fee-schedule-store';
import { findReturns, type FoundReturn } from './find-returns';
import { notHeld } from './held-items';
import { linesOf, type StoredMatch, type Unmatched } from './match';
import { openMatchBook, type AsOf } from './match-store';
import { latestRecorded, readItems } from './read-items';
import { openRunBook, type LastRun } from './run-store';

/** Everything that a run knows, read in one snapshot. What is settled and stays so is left where it is. */
export interface Facts {
  readonly through: BusinessDate;
  /** Of all channels: those that no match holds, or one that falls, or one of a credit after the day. */
  readonly items: readonly Item[];
  /** Of those items; and of held ones what speaks against their match. */
  readonly observations: readonly Observation[];
  /** What may be payouts, in the order of the bank, without what two people wrote off whole. */
  readonly credits: readonly PayoutCandidate[];
  /** Credits of which a part is written off: they are matched by people only. */
  readonly partlyWrittenOff: readonly string[];
  /** Debits that may be returns of them. */
  readonly debits: readonly PayoutCandidate[];
  readonly matches: readonly StoredMatch[];
  /** The matches that fall, because the bank took their money back. */
  readonly returns: readonly FoundReturn[];
  readonly unmatched: readonly Unmatched[];
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
  const matches = await openMatchBook(session).live(asOf);
  const unmatched = await openMatchBook(session).unmatched(asOf);
  const { credits, partlyWrittenOff, debits, paidInto } = await readLines(session, { through, asOf, matches });
  const returns = findReturns({ matches, unmatched, credits, debits }, workingDays);
  const knownUntil = asOf?.knownUntil;
  const before = calendar.startOf(addDays(through, 1));
  const filter = { before, knownUntil, wanted: notHeld(asOf, letGo(matches, returns, credits)) };
  const { items, recordedAt } = await readItems(session, filter);
  const observations = [
    ...(await openRecordedItems(session).observations(filter)),
    ...(await openDoubtingLooks(session).list(before, asOf)),
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
    schedule: await openFeeSchedules(session).current(),
    lastRun: await openRunBook(session).last(),
    coveredThrough: coveredThrough(await openStatements(session).coverage(), paidInto),
    openBreaks: await openBreakBook(session).list({}),
    knownUntil: Math.max(
      recordedAt,
      ...[observations, matches, unmatched].map(latestRecorded),
      ...[credits, debits].map((lines) => lines.reduce((latest, { importedAt }) => Math.max(latest, importedAt), 0)),
    ),
  };
}

interface LinesRequest {
  readonly through: BusinessDate;
  readonly asOf: AsOf | undefined;
  readonly matches: readonly StoredMatch[];
}

type Lines = Pick<Facts, 'credits' | 'debits' | 'partlyWrittenOff'> & { readonly paidInto: ReadonlySet<string> };

/**
 * The lines of the bank. A statement may be accepted long after it came, and a line may count since another file brought
 * it again: so a run of the past sees the lines that it noted, and those that were matched by then.
 */
async function readLines(session: Session, { through, asOf, matches }: LinesRequest): Promise<Lines> {
  const statements = openStatements(session);
  const noted = asOf?.openLineIds;
  const request = { through, importedUntil: noted === undefined ? asOf?.knownUntil : undefined };
  const seen = noted === undefined ? undefined : new Set([...noted, ...matches.flatMap(linesOf)]);
  const ofThen = (lines: readonly PayoutCandidate[]): readonly PayoutCandidate[] =>
    seen === undefined ? lines : lines.filter(({ lineId }) => seen.has(lineId));
  const credits = ofThen(await statements.payoutCandidates(request));
  const debits = ofThen(await statements.possibleReturns(request));
  const written = await writtenOff(session, credits, matches, asOf?.readAt);
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

/** The matches whose items are to be looked at again: those that fall, and those of credits after the day. */
function letGo(
  matches: readonly StoredMatch[],
  returns: readonly FoundReturn[],
  credits: readonly PayoutCandidate[],
): string[] {
  const lines = new Set(credits.map(({ lineId }) => lineId));
  const ofLater = matches.filter(({ lineId }) => !lines.has(lineId));
  return [...new Set([...returns.map(({ match }) => match), ...ofLater].map(({ id }) => id))];
}
