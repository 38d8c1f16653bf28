import { optionalNumber, optionalText, rowsOf, type Row, type Session } from '../../db';
import { businessDate, pagesOf, type BusinessDate, type Instant } from '../../kernel';
import type { SealedEvents } from './day-rows-store';
import type { Seal, SealHead } from './seal-chain';
import type { SealedKind } from './sealed-row';

const ROWS_PER_STATEMENT = 400;
const HEAD_COLUMNS = [
  ...['s.number', 's.kind', 's.business_date', 's.reopens_number', 's.digest', 's.recorded_at', 's.recorded_by'],
];

export interface KeptPage {
  readonly position: number;
  readonly kind: SealedKind;
  readonly content: string;
}

/** What one person proposed, to take the closing of a day back. */
export interface ReopeningProposal {
  readonly number: number;
  readonly reason: string;
  readonly proposedAt: Instant;
  readonly proposedBy: string;
}

/** The chain of seals inside one transaction of the database. */
export interface SealStore {
  /** Every link, in order. */
  heads(): Promise<SealHead[]>;
  find(number: number): Promise<Seal | undefined>;
  /** A number that is taken fails with `duplicate_key`: of two at once, one is first. */
  add(seal: Seal, events: readonly SealedEvents[]): Promise<void>;
  addPage(closeId: string, page: KeptPage): Promise<void>;
  /** Undefined when it is not there. */
  page(closeId: string, position: number): Promise<KeptPage | undefined>;
  propose(proposal: ReopeningProposal): Promise<void>;
  proposals(): Promise<ReopeningProposal[]>;
  /** Whether a run has covered the day, or a later one, after its end. */
  isReconciled(date: BusinessDate, dayEnd: Instant): Promise<boolean>;
}

export function openSealStore(session: Session): SealStore {
  return {
    async heads() {
      const rows = await rowsOf(
        session('day_seals as s')
          .select(...HEAD_COLUMNS)
          .orderBy('s.number'),
      );
      return rows.map(toHead);
    },
    async find(number) {
      const [row] = await rowsOf(
        session('day_seals as s')
          .select(...HEAD_COLUMNS, 's.close_id', 's.content', 's.previous_digest')
          .where('s.number', number),
      );
      return row === undefined ? undefined : toSeal(row);
    },
    async add(seal, events) {
      await session('day_seals').insert({
        number: seal.number,
        kind: seal.kind,
        business_date: seal.date,
        reopens_number: seal.reopens ?? null,
        close_id: seal.closeId ?? null,
        content: seal.content,
        previous_digest: seal.previousDigest ?? null,
        digest: seal.digest,
        recorded_at: seal.recordedAt,
        recorded_by: seal.recordedBy,
      });
      for (const page of pagesOf(events, ROWS_PER_STATEMENT)) {
        await session('day_sealed_breaks').insert(
          page.map(({ breakId, through }) => ({
            number: seal.number,
            break_id: breakId,
            through_position: through,
          })),
        );
      }
    },
    async addPage(closeId, { position, kind, content }) {
      await session('day_seal_pages').insert({ close_id: closeId, position, kind, content });
    },
    async page(closeId, position) {
      const [row] = await rowsOf(
        session('day_seal_pages as p')
          .select('p.kind', 'p.content')
          .where('p.close_id', closeId)
          .where('p.position', position),
      );
      if (row === undefined) return undefined;
      return { position, kind: row['kind'] as SealedKind, content: row['content'] as string };
    },
    async propose({ number, reason, proposedAt, proposedBy }) {
      const proposed = { proposed_at: proposedAt, proposed_by: proposedBy };
      await session('day_reopening_proposals').insert({ number, reason, ...proposed });
    },
    async proposals() {
      const rows = await rowsOf(
        session('day_reopening_proposals as p')
          .select('p.number', 'p.reason', 'p.proposed_at', 'p.proposed_by')
          .orderBy('p.number'),
      );
      return rows.map((row) => ({
        number: Number(row['number']),
        reason: row['reason'] as string,
        proposedAt: Number(row['proposed_at']),
        proposedBy: row['proposed_by'] as string,
      }));
    },
    async isReconciled(date, dayEnd) {
      const rows = await rowsOf(
        session('recon_runs as r')
          .select('r.id')
          .where('r.through', '>=', date)
          .where('r.recorded_at', '>=', dayEnd)
          .limit(1),
      );
      return rows.length > 0;
    },
  };
}

function toHead(row: Row): SealHead {
  return {
    number: Number(row['number']),
    kind: row['kind'] as Seal['kind'],
    date: businessDate(row['business_date'] as string),
    reopens: optionalNumber(row['reopens_number']),
    digest: row['digest'] as string,
    recordedAt: Number(row['recorded_at']),
    recordedBy: row['recorded_by'] as string,
  };
}

function toSeal(row: Row): Seal {
  return {
    ...toHead(row),
    closeId: optionalText(row['close_id']),
    content: row['content'] as string,
    previousDigest: optionalText(row['previous_digest']),
  };
}
