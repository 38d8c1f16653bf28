import { insertRows, optionalNumber, optionalText, rowsOf, type Row, type Session } from '../db';
import { pagesOf, toMillimes, type Instant } from '../kernel';
import type { Channel } from '../ledger';
import type { Evidence } from '../payout-inference';
import type { MatchedBy, MatchPart, NewMatch, ReturnLines, StoredMatch, Unmatched } from './match';

const KEYS_PER_STATEMENT = 400;
const MATCH_COLUMNS = [
  ...['m.id', 'm.line_id', 'm.run_id', 'm.kind', 'm.model', 'm.stream', 'm.evidence', 'm.gross_millimes'],
  ...['m.fee_millimes', 'm.tva_millimes', 'm.remainder_millimes', 'm.rest_channel', 'm.claimed_error', 'm.cut_after'],
  ...['m.cut_until', 'm.recorded_at'],
];

/** What was known at an instant of the past, before a run and those after it wrote theirs. */
export interface AsOf {
  readonly knownUntil: Instant;
  readonly beforeRunId: string;
  /** When the run began to read. */
  readonly readAt: Instant;
  /** The lines that the run saw and no match held; undefined of a run that did not note them. */
  readonly openLineIds?: readonly string[] | undefined;
}

/** Every id sorts before a tilde. */
export const ALWAYS: AsOf = { knownUntil: Number.MAX_SAFE_INTEGER, beforeRunId: '~', readAt: Number.MAX_SAFE_INTEGER };

/** Whether the match `m` held as of an instant, before a run; both are bound twice, in this order. */
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

/** The matches inside one transaction of the database. */
export interface MatchStore {
  /** Those that hold, or that held as of the past, in the order in which they were made. */
  live(asOf?: AsOf): Promise<StoredMatch[]>;
  /** Those that were taken back. */
  unmatched(asOf?: AsOf): Promise<Unmatched[]>;
  /** The live match of a credit, locked until the transaction ends. */
  hold(lineId: string): Promise<StoredMatch | undefined>;
  /** How often each credit was matched, whether that holds or not; absent for never. */
  timesMatched(lineIds: readonly string[]): Promise<Map<string, number>>;
  /** Which of the items are held by a live match. */
  claimed(itemIds: readonly string[]): Promise<Set<string>>;
  /** Takes the lines of matches that are about to be added: one that is held already fails with `duplicate_key`. */
  claimLines(matches: readonly NewMatch[]): Promise<void>;
  /** Of claimed lines. An item that is held already fails with `duplicate_key`. */
  add(matches: readonly WrittenMatch[], by: MatchedBy): Promise<void>;
  /** Lets the lines and the items go; the rows of the match stay. */
  release(unmatch: NewUnmatch): Promise<void>;
}

export interface WrittenMatch extends NewMatch {
  readonly ledgerTransactionId: string;
}

export function openMatchStore(session: Session): MatchStore {
  async function stored(matches: ReturnType<Session>): Promise<StoredMatch[]> {
    const rows = await rowsOf(matches);
    const ids = new Set(rows.map((row) => row['id'] as string));
    // Few of them by their keys, many in one pass over the table.
    const few = ids.size <= KEYS_PER_STATEMENT ? [...ids] : undefined;
    const parts = new Map<string, MatchPart[]>();
    const items = session('payout_match_items as i')
      .select('i.match_id', 'i.item_id', 'i.channel', 'i.amount_millimes', 'i.fee_millimes', 'i.tva_millimes')
      .select('i.evidence')
      .orderBy(['i.match_id', 'i.item_id']);
    for (const row of await rowsOf(few === undefined ? items : items.whereIn('i.match_id', few))) {
      const matchId = row['match_id'] as string;
      if (!ids.has(matchId)) continue;
      const of = parts.get(matchId);
      if (of === undefined) parts.set(matchId, [toPart(row)]);
      else of.push(toPart(row));
    }
    const returned = new Map<string, ReturnLines>();
    for (const row of await rowsOf(
      session('payout_match_returns as r').select('r.match_id', 'r.credit_line_id', 'r.debit_line_id'),
    )) {
      returned.set(row['match_id'] as string, {
        creditLineId: row['credit_line_id'] as string,
        debitLineId: row['debit_line_id'] as string,
      });
    }
    return rows.map((row) => {
      const id = row['id'] as string;
      return toMatch(row, parts.get(id) ?? [], returned.get(id));
    });
  }

  /** Of matches whose items are written; the database has them already, and copies its own rows fastest. */
  async function claimItems(matchIds: readonly string[]): Promise<void> {
    for (const page of pagesOf(matchIds, KEYS_PER_STATEMENT)) {
      // The columns of the table, in their order.
      await session('payout_claimed_items').insert(
        session('payout_match_items as i').select('i.item_id', 'i.match_id').whereIn('i.match_id', page),
      );
    }
  }

  return {
    live(asOf) {
      const query = session('payout_matches as m').select(MATCH_COLUMNS).orderBy(['m.recorded_at', 'm.id']);
      const { knownUntil, beforeRunId } = asOf ?? ALWAYS;
      return stored(query.whereRaw(LIVE_AS_OF, [knownUntil, beforeRunId, knownUntil, beforeRunId]));
    },
    async unmatched(asOf) {
      const { knownUntil, beforeRunId } = asOf ?? ALWAYS;
      const rows = await rowsOf(
        session('payout_unmatches as u')
          .join('payout_matches as m', 'm.id', 'u.match_id')
          .select('u.match_id', 'u.kind', 'u.debit_line_id', 'u.recorded_at', 'm.line_id')
          .where('u.recorded_at', '<=', knownUntil)
          .whereRaw(`coalesce(u.run_id, '') < ?`, [beforeRunId])
          .orderBy('u.match_id'),
      );
      return rows.map((row) => ({
        matchId: row['match_id'] as string,
        lineId: row['line_id'] as string,
        kind: row['kind'] as Unmatched['kind'],
        debitLineId: optionalText(row['debit_line_id']),
        recordedAt: Number(row['recorded_at']),
      }));
    },
    async hold(lineId) {
      const [claim] = await rowsOf(
        session('payout_claimed_lines as k').select('k.match_id').where('k.line_id', lineId).forUpdate(),
      );
      if (claim === undefined) return undefined;
      const [match] = await stored(
        session('payout_matches as m')
          .select(MATCH_COLUMNS)
          .where('m.id', claim['match_id'] as string),
      );
      return match;
    },
    async timesMatched(lineIds) {
      const times = new Map<string, number>();
      for (const page of pagesOf(lineIds, KEYS_PER_STATEMENT)) {
        const rows = await rowsOf(
          session('payout_matches as m')
            .select('m.line_id')
            .count('* as times')
            .whereIn('m.line_id', page)
            .groupBy('m.line_id'),
        );
        for (const row of rows) times.set(row['line_id'] as string, Number(row['times']));
      }
      return times;
    },
    async claimed(itemIds) {
      const held = new Set<string>();
      for (const page of pagesOf(itemIds, KEYS_PER_STATEMENT)) {
        const rows = await rowsOf(session('payout_claimed_items as k').select('k.item_id').whereIn('k.item_id', page));
        for (const row of rows) held.add(row['item_id'] as string);
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
        match_id: matchId,
        kind,
        debit_line_id: debitLineId ?? null,
        run_id: runId ?? null,
        reason,
        recorded_at: recordedAt,
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
  return {
    id: match.id,
    line_id: match.lineId,
    run_id: by.runId ?? null,
    kind: match.kind,
    model: match.model ?? null,
    stream: match.stream ?? null,
    evidence: match.evidence,
    gross_millimes: match.gross,
    fee_millimes: match.fee,
    tva_millimes: match.tva,
    remainder_millimes: match.remainder,
    rest_channel: match.restChannel,
    claimed_error: match.claimedError === undefined ? null : String(match.claimedError),
    cut_after: match.cut?.after ?? null,
    cut_until: match.cut?.until ?? null,
    ledger_transaction_id: match.ledgerTransactionId,
    reason: by.reason ?? null,
    recorded_at: by.recordedAt,
    recorded_by: by.recordedBy,
    approved_by: by.approvedBy ?? null,
  };
}

function itemRows({ id, parts }: NewMatch): Record<string, unknown>[] {
  return parts.map(({ itemId, channel, amount, fee, tva, evidence }) => ({
    match_id: id,
    item_id: itemId,
    channel,
    amount_millimes: amount,
    fee_millimes: fee,
    tva_millimes: tva,
    evidence,
  }));
}

function returnRows({ id, returned }: NewMatch): Record<string, unknown>[] {
  if (returned === undefined) return [];
  return [{ match_id: id, credit_line_id: returned.creditLineId, debit_line_id: returned.debitLineId }];
}

function toMatch(row: Row, parts: readonly MatchPart[], returned: ReturnLines | undefined): StoredMatch {
  const after = optionalNumber(row['cut_after']);
  const claimedError = optionalText(row['claimed_error']);
  return {
    id: row['id'] as string,
    lineId: row['line_id'] as string,
    runId: optionalText(row['run_id']),
    kind: row['kind'] as StoredMatch['kind'],
    model: optionalText(row['model']),
    stream: optionalText(row['stream']),
    evidence: row['evidence'] as Evidence,
    gross: toMillimes(row['gross_millimes']),
    fee: toMillimes(row['fee_millimes']),
    tva: toMillimes(row['tva_millimes']),
    remainder: toMillimes(row['remainder_millimes']),
    restChannel: row['rest_channel'] as Channel,
    claimedError: claimedError === undefined ? undefined : Number(claimedError),
    cut: after === undefined ? undefined : { after, until: optionalNumber(row['cut_until']) },
    parts,
    returned,
    recordedAt: Number(row['recorded_at']),
  };
}

function toPart(row: Row): MatchPart {
  return {
    itemId: row['item_id'] as string,
    channel: row['channel'] as Channel,
    amount: toMillimes(row['amount_millimes']),
    fee: toMillimes(row['fee_millimes']),
    tva: toMillimes(row['tva_millimes']),
    evidence: row['evidence'] as Evidence,
  };
}
