import { afterKey, type Column, column, type Decoded, rowCodec, ROWS_PER_STATEMENT, type Session } from '../../db';
import { type BusinessDate, type Page, pageByKey, pagesOf } from '../../kernel';
import type { SealedEvents } from './day-rows-store';
import type { Seal, SealHead } from './seal-chain';
import type { SealedKind } from './sealed-row';

/** Reads a stored word without a check: `ledger verify` must be able to read a changed one and report it. */
const storedWord = <Word extends string>(name: string): Column<Word> => ({
  ...column.text(name),
  read: (value) => value as Word,
});

const HEAD = rowCodec({
  number: column.number('number'),
  kind: storedWord<Seal['kind']>('kind'),
  date: column.businessDate('business_date'),
  reopens: column.optional(column.number('reopens_number')),
  digest: column.text('digest'),
  recordedAt: column.number('recorded_at'),
  recordedBy: column.text('recorded_by'),
});
const SEAL = rowCodec({
  ...HEAD.fields,
  closeId: column.optional(column.text('close_id')),
  content: column.text('content'),
  previousDigest: column.optional(column.text('previous_digest')),
});
const PAGE = rowCodec({
  position: column.number('position'),
  kind: storedWord<SealedKind>('kind'),
  content: column.text('content'),
});
const PROPOSAL = rowCodec({
  number: column.number('number'),
  reason: column.text('reason'),
  proposedAt: column.number('proposed_at'),
  proposedBy: column.text('proposed_by'),
});

/** A link with the proposal to reopen it, and whether it closes its day now. */
const LISTED = rowCodec({
  ...HEAD.fields,
  stands: column.flag('stands'),
  reason: column.optional(PROPOSAL.fields.reason),
  proposedAt: column.optional(PROPOSAL.fields.proposedAt),
  proposedBy: column.optional(PROPOSAL.fields.proposedBy),
});
export type ListedHead = Decoded<typeof LISTED>;

/** The day and the number of a link. */
export type SealKey = readonly [date: string, number: number];

export interface SealQuery {
  readonly from?: BusinessDate | undefined;
  /** The last day, which counts. */
  readonly to?: BusinessDate | undefined;
  readonly after?: SealKey | undefined;
  readonly limit: number;
}

export type KeptPage = Decoded<typeof PAGE>;

/** The proposal of one person to reopen a closed day. */
export type ReopeningProposal = Decoded<typeof PROPOSAL>;

/** Reads and appends the chain of seals inside one transaction of the database. */
export interface SealStore {
  /** Returns every link, in order. */
  heads(): Promise<SealHead[]>;
  find(number: number): Promise<Seal | undefined>;
  /** Adds a link. An existing number fails with `duplicate_key`, which decides between two concurrent closings. */
  add(seal: Seal, events: readonly SealedEvents[]): Promise<void>;
  addPage(closeId: string, page: KeptPage): Promise<void>;
  page(closeId: string, position: number): Promise<KeptPage | undefined>;
  propose(proposal: ReopeningProposal): Promise<void>;
  /** Returns the proposal to reverse a closing. */
  proposal(number: number): Promise<ReopeningProposal | undefined>;
  /** Returns a page of links, the latest days first. */
  list(query: SealQuery): Promise<Page<ListedHead, SealKey>>;
}

export function openSealStore(session: Session): SealStore {
  return {
    heads: () => HEAD.all(session('day_seals as s').select(HEAD.columns('s')).orderBy('s.number')),
    find: (number) => SEAL.first(session('day_seals as s').select(SEAL.columns('s')).where('s.number', number)),
    async add(seal, events) {
      await session('day_seals').insert(SEAL.write(seal));
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
    async addPage(closeId, page) {
      await session('day_seal_pages').insert({ close_id: closeId, ...PAGE.write(page) });
    },
    page: (closeId, position) =>
      PAGE.first(
        session('day_seal_pages as p')
          .select(PAGE.columns('p'))
          .where('p.close_id', closeId)
          .where('p.position', position),
      ),
    async propose(proposal) {
      await session('day_reopening_proposals').insert(PROPOSAL.write(proposal));
    },
    list: (query) =>
      pageByKey<ListedHead, SealKey>({
        read: (after, count) => linksAfter(session, query, after, count),
        keyOf: ({ date, number }) => [date, number],
        ...{ after: query.after, limit: query.limit },
      }),
    proposal: (number) =>
      PROPOSAL.first(session('day_reopening_proposals as p').select(PROPOSAL.columns('p')).where('p.number', number)),
  };
}

const STANDS = "s.kind = 'closed' and r.number is null as stands";

function linksAfter(
  session: Session,
  { from, to }: SealQuery,
  after: SealKey | undefined,
  count: number,
): Promise<ListedHead[]> {
  const query = session('day_seals as s')
    .leftJoin('day_seals as r', 'r.reopens_number', 's.number')
    .leftJoin('day_reopening_proposals as p', 'p.number', 's.number')
    .select(...HEAD.columns('s'), session.fragment(STANDS), 'p.reason', 'p.proposed_at', 'p.proposed_by');
  if (from !== undefined) void query.where('s.business_date', '>=', from);
  if (to !== undefined) void query.where('s.business_date', '<=', to);
  return LISTED.all(
    afterKey(session, query, { columns: ['s.business_date', 's.number'], order: 'desc', after }, count),
  );
}
