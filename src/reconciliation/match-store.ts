import type { ReconBreak } from '../breaks';
import { column, type Decoded, idsIn, rowCodec, ROWS_PER_STATEMENT, rowsOf, type Session } from '../db';
import { addToGroup, AppError, type Instant, pagesOf } from '../kernel';
import { openStatements } from '../statements';
import {
  linesOf,
  type MatchedBy,
  type MatchPart,
  type NewMatch,
  type ReturnLines,
  type Reversed,
  type StoredMatch,
  type Unmatched,
  type WrittenBy,
} from './match';
import {
  CUT,
  itemRows,
  lineClaims,
  MATCH,
  MATCH_ID,
  matchRow,
  PART,
  RETURN,
  RETURN_LINES,
  returnRows,
  REVERSED,
  TIMES_MATCHED,
  toMatch,
  UNMATCH,
  UNMATCHED,
  WRITTEN_BY,
  type WrittenMatch,
} from './match-rows';

/** The past as a run knew it: rows recorded by an instant, without those of that run or later ones. */
export interface AsOf {
  readonly knownUntil: Instant;
  readonly beforeRunId: string;
  /** The start of the run's reading. */
  readonly readAt: Instant;
  /** The unmatched lines that the run read; undefined if it did not store them. */
  readonly openLineIds?: readonly string[] | undefined;
}

const CLAIMED_LINES = { table: 'payout_claimed_lines', column: 'line_id' } as const;
const CLAIMED_ITEMS = { table: 'payout_claimed_items', column: 'item_id' } as const;
/** The debits by which the bank took payouts back. */
const RETURN_DEBITS = { table: 'payout_unmatches', column: 'debit_line_id' } as const;
const MADE = rowCodec({ lineId: column.text('line_id'), items: column.number('items') });

/** Every id sorts before a tilde. */
export const ALWAYS: AsOf = { knownUntil: Number.MAX_SAFE_INTEGER, beforeRunId: '~', readAt: Number.MAX_SAFE_INTEGER };

/** Selects matches `m` that were live at an instant and before a run. Bind both twice, in this order. */
export const LIVE_AS_OF = `m.recorded_at <= ? and coalesce(m.run_id, '') < ?
  and not exists (select 1 from payout_unmatches u where u.match_id = m.id and u.recorded_at <= ?
                  and coalesce(u.run_id, '') < ?)`;

export interface NewUnmatch {
  readonly matchId: string;
  readonly kind: Unmatched['kind'];
  readonly debitLineId: string | undefined;
  readonly runId: string | undefined;
  readonly reason: string;
  readonly recordedAt: Instant;
  readonly recordedBy: string;
}

/** Reads and writes matches inside one transaction of the database. */
export interface MatchStore {
  /** Returns live matches, now or as of the past, in the order of recording. */
  live(asOf?: AsOf): Promise<StoredMatch[]>;
  /** Returns the model, the stream and the cut of each live match, in the order of recording. */
  liveCuts(): Promise<Pick<StoredMatch, 'lineId' | 'model' | 'stream' | 'cut'>[]>;
  /** Returns reversed matches. */
  unmatched(asOf?: AsOf): Promise<Unmatched[]>;
  /** Returns the live match that holds a line. */
  ofLine(lineId: string): Promise<StoredMatch | undefined>;
  /** Returns who wrote a match, and why. */
  writtenBy(matchId: string): Promise<WrittenBy | undefined>;
  /** Returns the reversed matches of a credit with their reasons, the latest first. */
  reversedOf(lineId: string): Promise<Reversed[]>;
  /** Returns the live match of a credit and locks it until the transaction ends. */
  hold(lineId: string): Promise<StoredMatch | undefined>;
  /** Returns the lines that a live match holds, and locks their claims until the transaction ends. */
  holdLines(lineIds: readonly string[]): Promise<Set<string>>;
  /** Returns how often each credit was matched, with reversed matches; absent if never. */
  timesMatched(lineIds: readonly string[]): Promise<Map<string, number>>;
  /** Returns the items that a live match holds. */
  claimed(itemIds: readonly string[]): Promise<Set<string>>;
  /**
   * Returns the credits of live matches that were recorded after an instant and hold one of the lines or items, with
   * the number of these items.
   */
  madeAfter(at: Instant, rows: Pick<ReconBreak['subject'], 'itemIds' | 'lineIds'>): Promise<Decoded<typeof MADE>[]>;
  /** Returns the bank lines that a live match holds. */
  claimedLines(lineIds: readonly string[]): Promise<Set<string>>;
  /** Returns whether a run after the last recorded one has stored live matches. */
  hasUnfinishedRun(lastRunId: string): Promise<boolean>;
  /** Returns which of these lines a live match holds or the return of a payout uses, and locks those rows. */
  usedLines(lineIds: readonly string[]): Promise<Set<string>>;
  /** Claims the lines of new matches. An already matched line fails with `duplicate_key`. */
  claimLines(matches: readonly NewMatch[]): Promise<void>;
  /** Adds matches of claimed lines. An already matched item fails with `duplicate_key`. */
  add(matches: readonly WrittenMatch[], by: MatchedBy): Promise<void>;
  /** Releases the lines and the items; the rows of the match stay. */
  release(unmatch: NewUnmatch): Promise<void>;
}

export function openMatchStore(session: Session): MatchStore {
  return {
    live(asOf) {
      const query = session('payout_matches as m').select(MATCH.columns('m')).orderBy(['m.recorded_at', 'm.id']);
      const { knownUntil, beforeRunId } = asOf ?? ALWAYS;
      return storedMatches(session, query.whereRaw(LIVE_AS_OF, [knownUntil, beforeRunId, knownUntil, beforeRunId]));
    },
    liveCuts: () => liveCuts(session),
    unmatched(asOf) {
      const { knownUntil, beforeRunId } = asOf ?? ALWAYS;
      return UNMATCHED.all(
        session('payout_unmatches as u')
          .join('payout_matches as m', 'm.id', 'u.match_id')
          .select(...UNMATCH.columns('u'), 'm.line_id')
          .where('u.recorded_at', '<=', knownUntil)
          .whereRaw(`coalesce(u.run_id, '') < ?`, [beforeRunId])
          .orderBy('u.match_id'),
      );
    },
    ofLine: (lineId) => matchOfLine(session, lineId),
    writtenBy: (matchId) => writtenBy(session, matchId),
    reversedOf: (lineId) => reversedOf(session, lineId),
    hold: (lineId) => matchOfLine(session, lineId, 'for update'),
    holdLines: (lineIds) => idsIn(session, CLAIMED_LINES, lineIds, 'update'),
    timesMatched: (lineIds) => timesMatched(session, lineIds),
    madeAfter: (at, rows) => madeAfter(session, at, rows),
    claimed: (itemIds) => idsIn(session, CLAIMED_ITEMS, itemIds),
    claimedLines: (lineIds) => idsIn(session, CLAIMED_LINES, lineIds),
    hasUnfinishedRun: (lastRunId) => hasUnfinishedRun(session, lastRunId),
    usedLines: (lineIds) => usedLines(session, lineIds),
    async claimLines(matches) {
      await session.insert([{ table: 'payout_claimed_lines', rows: matches.flatMap(lineClaims) }]);
      await requireNotRepeated(session, matches.flatMap(linesOf));
    },
    async add(matches, by) {
      await session.insert([{ table: 'payout_matches', rows: matches.map((match) => matchRow(match, by)) }]);
      await session.insert([{ table: 'payout_match_items', rows: matches.flatMap(itemRows) }]);
      await claimItems(
        session,
        matches.map(({ id }) => id),
      );
      await session.insert([{ table: 'payout_match_returns', rows: matches.flatMap(returnRows) }]);
    },
    async release({ matchId, kind, debitLineId, runId, reason, recordedAt, recordedBy }) {
      await session('payout_unmatches').insert({
        ...UNMATCH.write({ matchId, kind, debitLineId, recordedAt }),
        run_id: runId ?? null,
        reason,
        recorded_by: recordedBy,
      });
      if (debitLineId !== undefined) await requireNotRepeated(session, [debitLineId]);
      await session('payout_claimed_lines').where('match_id', matchId).delete();
      await session('payout_claimed_items').where('match_id', matchId).delete();
    },
  };
}

function writtenBy(session: Session, matchId: string): Promise<WrittenBy | undefined> {
  return WRITTEN_BY.first(session('payout_matches as m').select(WRITTEN_BY.columns('m')).where('m.id', matchId));
}

function reversedOf(session: Session, lineId: string): Promise<Reversed[]> {
  return REVERSED.all(
    session('payout_unmatches as u')
      .join('payout_matches as m', 'm.id', 'u.match_id')
      .select(REVERSED.columns('u'))
      .where('m.line_id', lineId)
      .orderBy([
        { column: 'u.recorded_at', order: 'desc' },
        { column: 'u.match_id', order: 'desc' },
      ]),
  );
}

async function madeAfter(
  session: Session,
  at: Instant,
  { itemIds, lineIds }: Parameters<MatchStore['madeAfter']>[1],
): ReturnType<MatchStore['madeAfter']> {
  const made: Decoded<typeof MADE>[] = [];
  for (const page of pagesOf(itemIds, ROWS_PER_STATEMENT)) {
    const ofItems = session('payout_claimed_items as k')
      .join('payout_matches as m', 'm.id', 'k.match_id')
      .select('m.line_id')
      .count('* as items')
      .whereIn('k.item_id', page)
      .where('m.recorded_at', '>', at)
      .groupBy('m.line_id')
      .orderBy('m.line_id');
    made.push(...(await MADE.all(ofItems)));
  }
  for (const page of pagesOf(lineIds, ROWS_PER_STATEMENT)) {
    const ofLines = session('payout_claimed_lines as k')
      .join('payout_matches as m', 'm.id', 'k.match_id')
      .select('m.line_id', session.fragment('0 as items'))
      .whereIn('k.line_id', page)
      .where('m.recorded_at', '>', at);
    made.push(...(await MADE.all(ofLines)));
  }
  return made;
}

async function hasUnfinishedRun(session: Session, lastRunId: string): Promise<boolean> {
  const later = session('payout_matches as m').select('m.id').where('m.run_id', '>', lastRunId).limit(1);
  const live = later.whereRaw('not exists (select 1 from payout_unmatches u where u.match_id = m.id)');
  return (await rowsOf(live)).length > 0;
}

/** Reads the matches of a query with their parts and the lines of returned payouts. */
async function storedMatches(session: Session, matches: ReturnType<Session>): Promise<StoredMatch[]> {
  const found = await MATCH.all(matches);
  const ids = new Set(found.map(({ id }) => id));
  // Reads a few matches by their keys, many in one scan of the table.
  const few = ids.size <= ROWS_PER_STATEMENT ? [...ids] : undefined;
  const parts = new Map<string, MatchPart[]>();
  const items = session('payout_match_items as i')
    .select(...MATCH_ID.columns('i'), ...PART.columns('i'))
    .orderBy(['i.match_id', 'i.item_id']);
  for (const row of await rowsOf(few === undefined ? items : items.whereIn('i.match_id', few))) {
    const { matchId } = MATCH_ID.read(row);
    if (ids.has(matchId)) addToGroup(parts, matchId, PART.read(row));
  }
  const returned = new Map<string, ReturnLines>();
  for (const row of await rowsOf(session('payout_match_returns as r').select(RETURN.columns('r')))) {
    returned.set(MATCH_ID.read(row).matchId, RETURN_LINES.read(row));
  }
  return found.map((match) => toMatch(match, parts.get(match.id) ?? [], returned.get(match.id)));
}

async function liveCuts(session: Session): ReturnType<MatchStore['liveCuts']> {
  const cuts = await CUT.all(
    session('payout_claimed_lines as k')
      .join('payout_matches as m', (on) => on.on('m.id', 'k.match_id').andOn('m.line_id', 'k.line_id'))
      .select(CUT.columns('m'))
      .orderBy(['m.recorded_at', 'm.id']),
  );
  return cuts.map(({ cutAfter, cutUntil, ...match }) => ({
    ...match,
    cut: cutAfter === undefined ? undefined : { after: cutAfter, until: cutUntil },
  }));
}

async function matchOfLine(session: Session, lineId: string, lock?: 'for update'): Promise<StoredMatch | undefined> {
  const claims = session('payout_claimed_lines as k').select(MATCH_ID.columns('k')).where('k.line_id', lineId);
  const claim = await MATCH_ID.first(lock === undefined ? claims : claims.forUpdate());
  if (claim === undefined) return undefined;
  const [match] = await storedMatches(
    session,
    session('payout_matches as m').select(MATCH.columns('m')).where('m.id', claim.matchId),
  );
  return match;
}

async function usedLines(session: Session, lineIds: readonly string[]): Promise<Set<string>> {
  const debits = await idsIn(session, RETURN_DEBITS, lineIds, 'update');
  return new Set([...(await idsIn(session, CLAIMED_LINES, lineIds, 'update')), ...debits]);
}

/** Called after the lines are claimed: a decision on accounts either sees the claim, or is seen here. */
async function requireNotRepeated(session: Session, lineIds: readonly string[]): Promise<void> {
  if ((await openStatements(session).repeatedLines(lineIds)).size === 0) return;
  throw new AppError('duplicate_key', 'a person joined two names of an account meanwhile, and a line counts no more');
}

async function timesMatched(session: Session, lineIds: readonly string[]): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (const page of pagesOf(lineIds, ROWS_PER_STATEMENT)) {
    const counts = session('payout_matches as m')
      .select('m.line_id')
      .count('* as times')
      .whereIn('m.line_id', page)
      .groupBy('m.line_id');
    for (const { lineId, times: count } of await TIMES_MATCHED.all(counts)) times.set(lineId, count);
  }
  return times;
}

/** Claims the items of written matches. The rows are copied inside the database, which is the fastest way. */
async function claimItems(session: Session, matchIds: readonly string[]): Promise<void> {
  for (const page of pagesOf(matchIds, ROWS_PER_STATEMENT)) {
    // The columns are in the order of the table.
    await session('payout_claimed_items').insert(
      session('payout_match_items as i').select('i.item_id', 'i.match_id').whereIn('i.match_id', page),
    );
  }
}
