import { column, type Decoded, insertRows, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { pagesOf } from '../kernel';

/** Reads and adds the lines that repeat another line, and so no longer count. */
export interface RepeatedLineStore {
  /** Adds lines. Fails with `duplicate_key` if one of them is repeated already. */
  add(lines: readonly RepeatedLine[]): Promise<void>;
  /** Returns which of these lines repeat another one, and locks their rows until the transaction ends. */
  repeated(lineIds: readonly string[]): Promise<Set<string>>;
  /** Returns which of these lines another line repeats. */
  staying(lineIds: readonly string[]): Promise<Set<string>>;
}

const REPEATED = rowCodec({
  lineId: column.text('line_id'),
  /** The line of the same movement that still counts. */
  staysId: column.text('stays_id'),
  repeatedAt: column.number('repeated_at'),
  repeatedBy: column.text('repeated_by'),
  reason: column.text('reason'),
});

export type RepeatedLine = Decoded<typeof REPEATED>;

export function openRepeatedLines(session: Session): RepeatedLineStore {
  const idsIn = async (field: 'lineId' | 'staysId', lineIds: readonly string[], lock: boolean) => {
    const found = new Set<string>();
    for (const page of pagesOf(lineIds, ROWS_PER_STATEMENT)) {
      const query = session('bank_repeated_lines as x')
        .select(REPEATED.columns('x'))
        .whereIn(REPEATED.column(field, 'x'), page);
      for (const row of await REPEATED.all(lock ? query.forShare() : query)) found.add(row[field]);
    }
    return found;
  };
  return {
    add: (lines) =>
      insertRows(
        session,
        'bank_repeated_lines',
        lines.map((line) => REPEATED.write(line)),
      ),
    repeated: (lineIds) => idsIn('lineId', lineIds, true),
    staying: (lineIds) => idsIn('staysId', lineIds, false),
  };
}
