import { column, type Decoded, idsIn, rowCodec, type Session } from '../db';

/** Reads and adds the lines that repeat another line, and so no longer count. */
export interface RepeatedLineStore {
  /** Adds lines. Fails with `duplicate_key` if one of them is repeated already. */
  add(lines: readonly RepeatedLine[]): Promise<void>;
  /** Returns which of these lines repeat another one, and locks their rows until the transaction ends. */
  repeated(lineIds: readonly string[]): Promise<Set<string>>;
  /** Returns which of these lines another line repeats. */
  staying(lineIds: readonly string[]): Promise<Set<string>>;
}

const TABLE = 'bank_repeated_lines';
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
  return {
    add: (lines) => session.insert([{ table: TABLE, rows: lines.map((line) => REPEATED.write(line)) }]),
    repeated: (lineIds) => idsIn(session, { table: TABLE, column: 'line_id' }, lineIds, 'share'),
    staying: (lineIds) => idsIn(session, { table: TABLE, column: 'stays_id' }, lineIds),
  };
}
