import { column, type Decoded, insertRows, rowCodec, ROWS_PER_STATEMENT, rowsOf, type Session } from '../db';
import { type Instant, pagesOf } from '../kernel';
import { CHANNELS, EVIDENCE_GRADES } from '../payout-inference';
import {
  MATCH_KINDS,
  type MatchedBy,
  type MatchPart,
  type NewMatch,
  type ReturnLines,
  type StoredMatch,
  UNMATCH_KINDS,
  type Unmatched,
} from './match';

const MATCH = rowCodec({
  id: column.text('id'),
  lineId: column.text('line_id'),
  runId: column.optional(column.text('run_id')),
  kind: column.word('kind', MATCH_KINDS),
  model: column.optional(column.text('model')),
  stream: column.optional(column.text('stream')),
  evidence: column.word('evidence', EVIDENCE_GRADES),
  gross: column.millimes('gross_millimes'),
  fee: column.millimes('fee_millimes'),
  tva: column.millimes('tva_millimes'),
  remainder: column.millimes('remainder_millimes'),
  restChannel: column.word('rest_channel', CHANNELS),
  // Text, as the engine printed it: the seal of a day covers these bytes.
  claimedError: column.optional({ ...column.number('claimed_error'), write: String }),
  cutAfter: column.optional(column.number('cut_after')),
  cutUntil: column.optional(column.number('cut_until')),
  recordedAt: column.number('recorded_at'),
});
/** The columns of a match that only its writer uses. */
const MATCHED_BY = rowCodec({
  ledgerTransactionId: column.text('ledger_transaction_id'),
  reason: column.optional(column.text('reason')),
  recordedBy: column.text('recorded_by'),
  approvedBy: column.optional(column.text('approved_by')),
});
const PART = rowCodec({
  itemId: column.text('item_id'),
  channel: column.word('channel', CHANNELS),
  amount: column.millimes('amount_millimes'),
  fee: column.millimes('fee_millimes'),
  tva: column.millimes('tva_millimes'),
  evidence: column.word('evidence', EVIDENCE_GRADES),
});
const MATCH_ID = rowCodec({ matchId: column.text('match_id') });
const RETURN_LINES = rowCodec({
  creditLineId: column.text('credit_line_id'),
  debitLineId: column.text('debit_line_id'),
});
const RETURN = rowCodec({ ...MATCH_ID.fields, ...RETURN_LINES.fields });
const UNMATCH = rowCodec({
  matchId: column.text('match_id'),
  kind: column.word('kind', UNMATCH_KINDS),
  debitLineId: column.optional(column.text('debit_line_id')),
  recordedAt: column.number('recorded_at'),
});
const UNMATCHED = rowCodec({ ...UNMATCH.fields, lineId: column.text('line_id') });
const TIMES_MATCHED = rowCodec({ lineId: column.text('line_id'), times: column.number('times') });
const ITEM_ID = rowCodec({ itemId: column.text('item_id') });

/** The past as a run knew it: recorded until an instant, without what that run or later ones wrote. */
export interface AsOf {
  readonly knownUntil: Instant;
  readonly beforeRunId: string;
  /** The start of the run's reading. */
  readonly readAt: Instant;
  /** The unmatched lines that the run read; undefined if it did not store them. */
  readonly openLineIds?: readonly string[] | undefined;
}

/** Every id sorts before a tilde. */
export const ALWAYS: AsOf = { knownUntil: Number.MAX_SAFE_INTEGER, beforeRunId: '~', readAt: Number.MAX_SAFE_INTEGER };

/** Selects matches `m` that were live as of an instant and before a run. Bind both twice, in this order. */
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
  /** Returns reversed matches. */
  unmatched(asOf?: AsOf): Promise<Unmatched[]>;
  /** Returns the live match of a credit and locks it until the transaction ends. */
  hold(lineId: string): Promise<StoredMatch | undefined>;
  /** Returns how often each credit was matched, with reversed matches; absent if never. */
  timesMatched(lineIds: readonly string[]): Promise<Map<string, number>>;
  /** Returns the items that a live match holds. */
  claimed(itemIds: readonly string[]): Promise<Set<string>>;
  /** Claims the lines of new matches: a line that a match holds fails with `duplicate_key`. */
  claimLines(matches: readonly NewMatch[]): Promise<void>;
  /** Adds matches of claimed lines. An item that a match holds fails with `duplicate_key`. */
  add(matches: readonly WrittenMatch[], by: MatchedBy): Promise<void>;
  /** Releases the lines and the items; the rows of the match stay. */
  release(unmatch: NewUnmatch): Promise<void>;
}

export interface WrittenMatch extends NewMatch {
  readonly ledgerTransactionId: string;
}

export function openMatchStore(session: Session): MatchStore {
  async function stored(matches: ReturnType<Session>): Promise<StoredMatch[]> {
    const found = await MATCH.all(matches);
    const ids = new Set(found.map(({ id }) => id));
    // A few by their keys, many in one scan of the table.
    const few = ids.size <= ROWS_PER_STATEMENT ? [...ids] : undefined;
    const parts = new Map<string, MatchPart[]>();
    const items = session('payout_match_items as i')
      .select(...MATCH_ID.columns('i'), ...PART.columns('i'))
      .orderBy(['i.match_id', 'i.item_id']);
    for (const row of await rowsOf(few === undefined ? items : items.whereIn('i.match_id', few))) {
      const { matchId } = MATCH_ID.read(row);
      if (!ids.has(matchId)) continue;
      const of = parts.get(matchId);
      if (of === undefined) parts.set(matchId, [PART.read(row)]);
      else of.push(PART.read(row));
    }
    const returned = new Map<string, ReturnLines>();
    for (const row of await rowsOf(session('payout_match_returns as r').select(RETURN.columns('r')))) {
      returned.set(MATCH_ID.read(row).matchId, RETURN_LINES.read(row));
    }
    return found.map((match) => toMatch(match, parts.get(match.id) ?? [], returned.get(match.id)));
  }

  /** Claims the items of written matches: the database copies its own rows fastest. */
  async function claimItems(matchIds: readonly string[]): Promise<void> {
    for (const page of pagesOf(matchIds, ROWS_PER_STATEMENT)) {
      // The columns are in the order of the table.
      await session('payout_claimed_items').insert(
        session('payout_match_items as i').select('i.item_id', 'i.match_id').whereIn('i.match_id', page),
      );
    }
  }

  return {
    live(asOf) {
      const query = session('payout_matches as m').select(MATCH.columns('m')).orderBy(['m.recorded_at', 'm.id']);
      const { knownUntil, beforeRunId } = asOf ?? ALWAYS;
      return stored(query.whereRaw(LIVE_AS_OF, [knownUntil, beforeRunId, knownUntil, beforeRunId]));
    },
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
    async hold(lineId) {
      const claim = await MATCH_ID.first(
        session('payout_claimed_lines as k').select(MATCH_ID.columns('k')).where('k.line_id', lineId).forUpdate(),
      );
      if (claim === undefined) return undefined;
      const [match] = await stored(
        session('payout_matches as m').select(MATCH.columns('m')).where('m.id', claim.matchId),
      );
      return match;
    },
    async timesMatched(lineIds) {
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
    },
    async claimed(itemIds) {
      const held = new Set<string>();
      for (const page of pagesOf(itemIds, ROWS_PER_STATEMENT)) {
        const claims = session('payout_claimed_items as k').select('k.item_id').whereIn('k.item_id', page);
        for (const { itemId } of await ITEM_ID.all(claims)) held.add(itemId);
      }
      return held;
    },
    async claimLines(matches) {
      await insertRows(session, 'payout_claimed_lines', matches.flatMap(lineClaims));
    },
    async add(matches, by) {
      await insertRows(
        session,
        'payout_matches',
        matches.map((match) => matchRow(match, by)),
      );
      await insertRows(session, 'payout_match_items', matches.flatMap(itemRows));
      await claimItems(matches.map(({ id }) => id));
      await insertRows(session, 'payout_match_returns', matches.flatMap(returnRows));
    },
    async release({ matchId, kind, debitLineId, runId, reason, recordedAt, recordedBy }) {
      await session('payout_unmatches').insert({
        ...UNMATCH.write({ matchId, kind, debitLineId, recordedAt }),
        run_id: runId ?? null,
        reason,
        recorded_by: recordedBy,
      });
      await session('payout_claimed_lines').where('match_id', matchId).delete();
      await session('payout_claimed_items').where('match_id', matchId).delete();
    },
  };
}

function lineClaims({ id, lineId, returned }: NewMatch): Record<string, unknown>[] {
  const lines = returned === undefined ? [lineId] : [lineId, returned.creditLineId, returned.debitLineId];
  return lines.map((each) => ({ line_id: each, match_id: id }));
}

function matchRow(match: WrittenMatch, by: MatchedBy): Record<string, unknown> {
  const { runId, recordedAt, ...rest } = by;
  const cut = { cutAfter: match.cut?.after, cutUntil: match.cut?.until };
  return {
    ...MATCH.write({ ...match, ...cut, runId, recordedAt }),
    ...MATCHED_BY.write({ ...rest, ledgerTransactionId: match.ledgerTransactionId }),
  };
}

function itemRows({ id, parts }: NewMatch): Record<string, unknown>[] {
  return parts.map((part) => ({ match_id: id, ...PART.write(part) }));
}

function returnRows({ id, returned }: NewMatch): Record<string, unknown>[] {
  return returned === undefined ? [] : [RETURN.write({ matchId: id, ...returned })];
}

function toMatch(
  { cutAfter, cutUntil, ...match }: Decoded<typeof MATCH>,
  parts: readonly MatchPart[],
  returned: ReturnLines | undefined,
): StoredMatch {
  const cut = cutAfter === undefined ? undefined : { after: cutAfter, until: cutUntil };
  return { ...match, cut, parts, returned };
}
