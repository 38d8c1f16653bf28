import type { StatementEvent, StatementReader } from '../parsed-statement';
import { FieldSplitter, type Token } from './field-splitter';
import { type PhysicalLine, PhysicalLines } from './physical-lines';
import { refuse } from './refuse';
import { StatementBuilder } from './statement-builder';
import { StreamingDecoder } from './streaming-decoder';

/** The facts of the file before it is read. */
export interface Mt940Options {
  /** Whether all of the file is valid UTF-8. Otherwise it is windows-1252, unless a byte order mark shows UTF-16. */
  readonly utf8: boolean;
}

/**
 * Reads MT940 statements and MT942 interim reports. Each message is one `statement` event, and so is a page. Amounts
 * are in the currency's main unit with the written decimals. The lines of an MT942 are pending.
 * @throws AppError `bad_input`, from push and end, for unreadable input and for a file without a statement.
 */
export function createMt940Reader(options: Mt940Options): StatementReader {
  const decoder = new StreamingDecoder(options);
  const lines = new PhysicalLines();
  const splitter = new FieldSplitter();
  const builder = new StatementBuilder();

  const take = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.kind === 'field') builder.add(token.field);
      else if (token.kind === 'envelope') builder.announce(token);
      else builder.boundary(token.fileLine);
    }
  };
  const takeLines = (physicalLines: readonly PhysicalLine[]): void => {
    for (const line of physicalLines) take(splitter.push(line));
  };

  return {
    push(bytes): StatementEvent[] {
      takeLines(lines.push(decoder.push(bytes)));
      return builder.take();
    },
    end(): StatementEvent[] {
      takeLines([...lines.push(decoder.end()), ...lines.end()]);
      take(splitter.end(lines.number));
      if (builder.statements === 0) {
        refuse({ fileLine: lines.number, expected: 'a :60F: or a :61: of MT940 or MT942', found: undefined });
      }
      return builder.take();
    },
  };
}
