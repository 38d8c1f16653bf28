import { rowsOf, type Row, type Session } from '../../db';
import { pagesOf, type Instant } from '../../kernel';
import { digestOfRow, type SealedKind, type SealedRow } from './sealed-row';

const KEYS_PER_STATEMENT = 400;

/** Which events of a break a closing seals: after `from`, up to and with `through`. */
export interface SealedEvents {
  readonly breakId: string;
  readonly from: number;
  readonly through: number;
}

/** The rows that a day is sealed over. Each kind is found by its keys, which stay what they are whatever is changed. */
export interface DayRows {
  /** The keys of what was recorded in the day, in byte order. A match belongs to the day of its ledger transaction. */
  keysOf(kind: Exclude<SealedKind, 'break_event'>, from: Instant, to: Instant): Promise<string[]>;
  /**
   * What happened to breaks before `to` and stands under no closing: an event that came late, by a clock that was behind,
   * is sealed with the next day that is closed.
   */
  eventsUntil(to: Instant): Promise<SealedEvents[]>;
  /** The keys of all events that are there where a closing that stands has sealed a history. */
  eventsUnder(seal: number): Promise<string[]>;
  /** The rows of these keys as they are now; none for a key that is not there. */
  read(kind: SealedKind, keys: readonly string[]): Promise<SealedRow[]>;
}

export function openDayRows(session: Session): DayRows {
  return {
    async keysOf(kind, from, to) {
      const rows = await rowsOf(
        keysQuery(session, kind).where('t.recorded_at', '>=', from).where('t.recorded_at', '<', to),
      );
      // By byte, not by the index that found them: one day, one order.
      return rows.map((row) => String(row['id'])).sort();
    },
    async eventsUntil(to) {
      const rows = await session.raw(
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
      return rows
        .filter((row) => row['through_position'] !== null)
        .map((row) => ({
          breakId: String(row['break_id']),
          from: Number(row['sealed']),
          through: Number(row['through_position']),
        }));
    },
    async eventsUnder(seal) {
      const rows = await session.raw(
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
      return rows.map((row) => eventKey(String(row['break_id']), Number(row['position'])));
    },
    async read(kind, keys) {
      const rows: SealedRow[] = [];
      for (const page of pagesOf(keys, KEYS_PER_STATEMENT)) rows.push(...(await READERS[kind](session, page)));
      return rows;
    },
  };
}

/** The key of an event. */
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
      // Taken back when its posting was: the reversal is recorded after the period lock, as every posting is.
      return session('payout_unmatches as u')
        .join('payout_matches as m', 'm.id', 'u.match_id')
        .join('ledger_transactions as t', 't.reverses_id', 'm.ledger_transaction_id')
        .select('u.match_id as id');
  }
}

const LEDGER_COLUMNS = ['id', 'reference', 'code', 'occurred_at', 'recorded_at', 'reverses_id', 'recorded_by'];
const POSTING_COLUMNS = ['position', 'debit_account', 'credit_account', 'amount_millimes'];
const MATCH_COLUMNS = [
  ...[
    'id',
    'line_id',
    'run_id',
    'kind',
    'model',
    'stream',
    'evidence',
    'gross_millimes',
    'fee_millimes',
    'tva_millimes',
  ],
  ...[
    'remainder_millimes',
    'rest_channel',
    'claimed_error',
    'cut_after',
    'cut_until',
    'ledger_transaction_id',
    'reason',
  ],
  ...['recorded_at', 'recorded_by', 'approved_by'],
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
    const id = String(row['id']);
    const digest = digestOfRow([...valuesOf(row, LEDGER_COLUMNS), postings.get(id) ?? []]);
    return { key: id, name: String(row['reference']), digest };
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
    const id = String(row['id']);
    const digest = digestOfRow([...valuesOf(row, MATCH_COLUMNS), items.get(id) ?? [], returns.get(id) ?? []]);
    return { key: id, name: `match ${id} of line ${String(row['line_id'])}`, digest };
  });
}

async function readUnmatches(session: Session, ids: readonly string[]): Promise<SealedRow[]> {
  const rows = await rowsIn(session, 'payout_unmatches', 'match_id', ids, UNMATCH_COLUMNS, ['match_id']);
  return rows.map((row) => {
    const id = String(row['match_id']);
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
      const breakId = String(row['break_id']);
      const position = Number(row['position']);
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

/** The values of each row, one after the other, under the key that they share. */
function groupBy(rows: readonly Row[], keyColumn: string, columns: readonly string[]): Map<string, unknown[]> {
  const groups = new Map<string, unknown[]>();
  for (const row of rows) {
    const key = String(row[keyColumn]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [valuesOf(row, columns)]);
    else group.push(valuesOf(row, columns));
  }
  return groups;
}

/** As text, because a driver may give a big number as one. */
function valuesOf(row: Row, columns: readonly string[]): (string | null)[] {
  return columns.map((column) => textOf(row[column]));
}

function textOf(value: unknown): string | null {
  return value === null ? null : `${value as string | number | bigint}`;
}
