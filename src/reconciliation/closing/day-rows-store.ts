import { column, type Row, rowCodec, ROWS_PER_STATEMENT, rowsOf, type Session } from '../../db';
import { addToGroup, type Instant, pagesOf } from '../../kernel';
import { digestOfRow, type SealedKind, type SealedRow } from './sealed-row';

const ID = rowCodec({ id: column.text('id') });
const LEDGER_NAME = rowCodec({ id: column.text('id'), reference: column.text('reference') });
const MATCH_NAME = rowCodec({ id: column.text('id'), lineId: column.text('line_id') });
const UNMATCH_NAME = rowCodec({ matchId: column.text('match_id') });
const EVENT_KEY = rowCodec({ breakId: column.text('break_id'), position: column.number('position') });
const UNSEALED_EVENTS = rowCodec({
  breakId: column.text('break_id'),
  from: column.number('sealed'),
  through: column.optional(column.number('through_position')),
});

/** The events of a break that a closing seals: after `from`, through `through`. */
export interface SealedEvents {
  readonly breakId: string;
  readonly from: number;
  readonly through: number;
}

/** Reads the rows under a day's seal. Each kind has keys that never change, even if other columns do. */
export interface DayRows {
  /** Returns the keys recorded in the day, in byte order. A match belongs to the day of its ledger transaction. */
  keysOf(kind: Exclude<SealedKind, 'break_event'>, from: Instant, to: Instant): Promise<string[]>;
  /**
   * Returns the events of breaks before `to` that no standing closing seals. If a slow clock recorded an event late,
   * the next closing seals it.
   */
  eventsUntil(to: Instant): Promise<SealedEvents[]>;
  /** Returns the keys of all present events in the ranges that a standing closing sealed. */
  eventsUnder(seal: number): Promise<string[]>;
  /** Returns the present rows of these keys; none for a missing key. */
  read(kind: SealedKind, keys: readonly string[]): Promise<SealedRow[]>;
}

export function openDayRows(session: Session): DayRows {
  return {
    async keysOf(kind, from, to) {
      const rows = await ID.all(
        keysQuery(session, kind).where('t.recorded_at', '>=', from).where('t.recorded_at', '<', to),
      );
      // Sorted by byte, independent of the index that the database used.
      return rows.map(({ id }) => id).sort();
    },
    async eventsUntil(to) {
      const rows = session.raw(
        `select e.break_id, coalesce(s.through_position, 0) as sealed,
                max(case when e.at < ? then e.position end) as through_position
         from recon_break_events e
         left join (select b.break_id, max(b.through_position) as through_position
                    from day_sealed_breaks b
                    where not exists (select 1 from day_seals r where r.reopens_number = b.number)
                    group by b.break_id) s on s.break_id = e.break_id
         where e.position > coalesce(s.through_position, 0)
         group by e.break_id, s.through_position
         order by e.break_id`,
        [to],
      );
      return (await UNSEALED_EVENTS.all(rows)).flatMap(({ through, ...events }) =>
        through === undefined ? [] : [{ ...events, through }],
      );
    },
    async eventsUnder(seal) {
      const rows = session.raw(
        `select e.break_id, e.position
         from recon_break_events e
         join day_sealed_breaks s on s.break_id = e.break_id and s.number = ?
         left join (select b.break_id, max(b.through_position) as through_position
                    from day_sealed_breaks b
                    where b.number < ? and not exists (select 1 from day_seals r where r.reopens_number = b.number)
                    group by b.break_id) p on p.break_id = e.break_id
         where e.position <= s.through_position
           and (p.through_position is null or e.position > p.through_position)
         order by e.break_id, e.position`,
        [seal, seal],
      );
      return (await EVENT_KEY.all(rows)).map(({ breakId, position }) => eventKey(breakId, position));
    },
    async read(kind, keys) {
      const rows: SealedRow[] = [];
      for (const page of pagesOf(keys, ROWS_PER_STATEMENT)) rows.push(...(await READERS[kind](session, page)));
      return rows;
    },
  };
}

export function eventKey(breakId: string, position: number): string {
  return `${breakId}:${position}`;
}

type Reader = (session: Session, keys: readonly string[]) => Promise<SealedRow[]>;

const READERS: Readonly<Record<SealedKind, Reader>> = {
  ledger: readLedger,
  match: readMatches,
  unmatch: readUnmatches,
  break_event: readEvents,
};

function keysQuery(session: Session, kind: Exclude<SealedKind, 'break_event'>): ReturnType<Session> {
  switch (kind) {
    case 'ledger':
      return session('ledger_transactions as t').select('t.id');
    case 'match':
      return session('payout_matches as m')
        .join('ledger_transactions as t', 't.id', 'm.ledger_transaction_id')
        .select('m.id');
    case 'unmatch':
      // By the reversal of its payout, which the ledger records after the period lock like every posting.
      return session('payout_unmatches as u')
        .join('payout_matches as m', 'm.id', 'u.match_id')
        .join('ledger_transactions as t', 't.reverses_id', 'm.ledger_transaction_id')
        .select('u.match_id as id');
  }
}

const LEDGER_COLUMNS = ['id', 'reference', 'code', 'occurred_at', 'recorded_at', 'reverses_id', 'recorded_by'];
const POSTING_COLUMNS = ['position', 'debit_account', 'credit_account', 'amount_millimes'];
const MATCH_COLUMNS = [
  ...['id', 'line_id', 'run_id', 'kind', 'model', 'stream', 'evidence', 'gross_millimes', 'fee_millimes'],
  ...['tva_millimes', 'remainder_millimes', 'rest_channel', 'claimed_error', 'cut_after', 'cut_until'],
  ...['ledger_transaction_id', 'reason', 'recorded_at', 'recorded_by', 'approved_by'],
];
const MATCH_RETURN_COLUMNS = ['credit_line_id', 'debit_line_id'];
const MATCH_ITEM_COLUMNS = ['item_id', 'channel', 'amount_millimes', 'fee_millimes', 'tva_millimes', 'evidence'];
const UNMATCH_COLUMNS = ['match_id', 'kind', 'debit_line_id', 'run_id', 'reason', 'recorded_at', 'recorded_by'];
const EVENT_COLUMNS = ['break_id', 'position', 'kind', 'actor', 'at', 'detail'];

async function readLedger(session: Session, ids: readonly string[]): Promise<SealedRow[]> {
  const rows = await rowsIn(session, 'ledger_transactions', 'id', ids, LEDGER_COLUMNS, ['id']);
  const columns = ['transaction_id', ...POSTING_COLUMNS];
  const order = ['transaction_id', 'position'];
  const postings = groupBy(
    await rowsIn(session, 'postings', 'transaction_id', ids, columns, order),
    'transaction_id',
    POSTING_COLUMNS,
  );
  return rows.map((row) => {
    const { id, reference } = LEDGER_NAME.read(row);
    const digest = digestOfRow([...valuesOf(row, LEDGER_COLUMNS), postings.get(id) ?? []]);
    return { key: id, name: reference, digest };
  });
}

async function readMatches(session: Session, ids: readonly string[]): Promise<SealedRow[]> {
  const rows = await rowsIn(session, 'payout_matches', 'id', ids, MATCH_COLUMNS, ['id']);
  const ofMatches = async (table: string, columns: readonly string[], order: readonly string[]) =>
    groupBy(
      await rowsIn(session, table, 'match_id', ids, ['match_id', ...columns], ['match_id', ...order]),
      'match_id',
      columns,
    );
  const items = await ofMatches('payout_match_items', MATCH_ITEM_COLUMNS, ['item_id']);
  const returns = await ofMatches('payout_match_returns', MATCH_RETURN_COLUMNS, []);
  return rows.map((row) => {
    const { id, lineId } = MATCH_NAME.read(row);
    const digest = digestOfRow([...valuesOf(row, MATCH_COLUMNS), items.get(id) ?? [], returns.get(id) ?? []]);
    return { key: id, name: `match ${id} of line ${lineId}`, digest };
  });
}

async function readUnmatches(session: Session, ids: readonly string[]): Promise<SealedRow[]> {
  const rows = await rowsIn(session, 'payout_unmatches', 'match_id', ids, UNMATCH_COLUMNS, ['match_id']);
  return rows.map((row) => {
    const { matchId: id } = UNMATCH_NAME.read(row);
    return { key: id, name: `unmatching of ${id}`, digest: digestOfRow(valuesOf(row, UNMATCH_COLUMNS)) };
  });
}

async function readEvents(session: Session, keys: readonly string[]): Promise<SealedRow[]> {
  const wanted = new Set(keys);
  const breakIds = [...new Set(keys.map((key) => key.slice(0, key.indexOf(':'))))];
  const order = ['break_id', 'position'];
  const rows = await rowsIn(session, 'recon_break_events', 'break_id', breakIds, EVENT_COLUMNS, order);
  return rows
    .map((row) => {
      const { breakId, position } = EVENT_KEY.read(row);
      const digest = digestOfRow(valuesOf(row, EVENT_COLUMNS));
      return { key: eventKey(breakId, position), name: `event ${position} of break ${breakId}`, digest };
    })
    .filter(({ key }) => wanted.has(key));
}

function rowsIn(
  session: Session,
  table: string,
  keyColumn: string,
  keys: readonly string[],
  columns: readonly string[],
  order: readonly string[],
): Promise<Row[]> {
  return rowsOf(
    session(`${table} as x`)
      .select(columns.map((column) => `x.${column}`))
      .whereIn(`x.${keyColumn}`, [...keys])
      .orderBy(order.map((column) => `x.${column}`)),
  );
}

/** Groups the values of rows by their key. */
function groupBy(rows: readonly Row[], keyColumn: string, columns: readonly string[]): Map<string, unknown[]> {
  const groups = new Map<string, unknown[]>();
  for (const row of rows) addToGroup(groups, String(row[keyColumn]), valuesOf(row, columns));
  return groups;
}

/** Returns values as text, because a driver may return a large number as text. */
function valuesOf(row: Row, columns: readonly string[]): (string | null)[] {
  return columns.map((column) => textOf(row[column]));
}

function textOf(value: unknown): string | null {
  return value === null ? null : `${value as string | number | bigint}`;
}
