import type { ParsedLine, ParsedStatement } from '../../src/statements';
import type { StatementReader } from '../../src/statements/testing';

export interface ReadStatement {
  readonly statement: ParsedStatement;
  readonly lines: readonly ParsedLine[];
}

/** Reads a whole file in pieces of `pieceBytes`, and gives each statement with its lines. */
export function readStatements(reader: StatementReader, bytes: Buffer, pieceBytes = bytes.length): ReadStatement[] {
  const found: ReadStatement[] = [];
  let lines: ParsedLine[] = [];
  const take = (events: ReturnType<StatementReader['end']>): void => {
    for (const event of events) {
      if (event.kind === 'line') lines.push(event.line);
      else {
        found.push({ statement: event.statement, lines });
        lines = [];
      }
    }
  };
  for (let at = 0; at < bytes.length; at += Math.max(pieceBytes, 1)) {
    take(reader.push(bytes.subarray(at, at + pieceBytes)));
  }
  take(reader.end());
  return found;
}
