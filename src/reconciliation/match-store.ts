import { rowsOf, type Session } from '../db';
import { pagesOf, toMillimes, type BusinessDate, type Instant, type Millimes } from '../kernel';
import type { ResolvedCredit } from './sweep-all';

const ROWS_PER_STATEMENT = 400;

export const MODEL = 'sweep-all';
export const EVIDENCE = 'inferred_by_cut';

/** A credit that an earlier run resolved. */
export interface StoredMatch {
  readonly lineId: string;
  readonly itemIds: readonly string[];
  readonly gross: Millimes;
  readonly evidence: string;
  readonly cut: { readonly after: Instant; readonly until: Instant | undefined };
}

export interface StoredRun {
  readonly digest: string;
  /** The latest day that any run looked at, which need not be the last run's. */
  readonly furthest: BusinessDate;
}

/** Runs and matches inside one transaction of the database. */
export interface MatchBook {
  matches(): Promise<StoredMatch[]>;
  /** A line or an item that is matched already fails with `duplicate_key`. */
  add(match: ResolvedCredit, runId: string, ledgerTransactionId: string, at: Instant): Promise<void>;
  lastRun(): Promise<StoredRun | undefined>;
  addRun(run: {
    id: string;
    through: BusinessDate;
    digest: string;
    verdict: string;
    summary: unknown;
    at: Instant;
    recordedBy: string;
  }): Promise<void>;
}

export function openMatchBook(session: Session): MatchBook {
  return {
    async matches() {
      const itemIds = new Map<string, string[]>();
      const items = await rowsOf(
        session('recon_match_items as i').select('i.line_id', 'i.item_id').orderBy(['i.line_id', 'i.item_id']),
      );
      for (const row of items) {
        const lineId = row['line_id'] as string;
        const ids = itemIds.get(lineId);
        if (ids === undefined) itemIds.set(lineId, [row['item_id'] as string]);
        else ids.push(row['item_id'] as string);
      }
      const rows = await rowsOf(
        session('recon_matches as m')
          .select('m.line_id', 'm.gross_millimes', 'm.evidence', 'm.cut_after', 'm.cut_until')
          .orderBy('m.line_id'),
      );
      return rows.map((row) => ({
        lineId: row['line_id'] as string,
        itemIds: itemIds.get(row['line_id'] as string) ?? [],
        gross: toMillimes(row['gross_millimes']),
        evidence: row['evidence'] as string,
        cut: {
          after: Number(row['cut_after']),
          until: row['cut_until'] === null ? undefined : Number(row['cut_until']),
        },
      }));
    },
    async add({ credit, items, cut }, runId, ledgerTransactionId, at) {
      await session('recon_matches').insert({
        line_id: credit.lineId,
        run_id: runId,
        model: MODEL,
        evidence: EVIDENCE,
        gross_millimes: credit.amount,
        cut_after: cut.after,
        cut_until: cut.until,
        ledger_transaction_id: ledgerTransactionId,
        recorded_at: at,
      });
      const rows = items.map(({ itemId, amount }) => ({
        item_id: itemId,
        line_id: credit.lineId,
        amount_millimes: amount,
      }));
      for (const page of pagesOf(rows, ROWS_PER_STATEMENT)) await session('recon_match_items').insert(page);
    },
    async lastRun() {
      const [row] = await rowsOf(session('recon_runs as r').select('r.digest').orderBy('r.id', 'desc').limit(1));
      if (row === undefined) return undefined;
      const [furthest] = await rowsOf(session('recon_runs as r').max('r.through as through'));
      return { digest: row['digest'] as string, furthest: furthest?.['through'] as BusinessDate };
    },
    async addRun({ id, through, digest, verdict, summary, at, recordedBy }) {
      await session('recon_runs').insert({
        id,
        through,
        digest,
        verdict,
        summary: JSON.stringify(summary),
        recorded_at: at,
        recorded_by: recordedBy,
      });
    },
  };
}
