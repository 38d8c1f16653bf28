import { WHOLE_FILE_BYTES_MAX } from '../limits';
import type { StatementReader } from '../parsed-statement';
import { tooLarge } from '../refusal';
import { type CsvReaderOptions, readCsvStatement } from './read-csv-statement';

const FIRST_BYTES = 64 * 1024;

/**
 * Reads a CSV export as one statement. Its facts may be in the last row, and the newest line in the first, so the file
 * is kept in memory until it ends: at most `WHOLE_FILE_BYTES_MAX`.
 */
export function createCsvReader(options: CsvReaderOptions): StatementReader {
  const { events } = options;
  if (events !== undefined) return { push: () => [], end: () => events };
  // Grown by doubling, because a list of small pieces would cost more than the file.
  let kept = Buffer.alloc(FIRST_BYTES);
  let length = 0;
  return {
    push(bytes) {
      const needed = length + bytes.length;
      if (needed > WHOLE_FILE_BYTES_MAX) {
        throw tooLarge('CSV');
      }
      if (needed > kept.length) {
        const larger = Buffer.alloc(Math.max(needed, kept.length * 2));
        kept.copy(larger, 0, 0, length);
        kept = larger;
      }
      bytes.copy(kept, length);
      length = needed;
      return [];
    },
    end() {
      const bytes = kept.subarray(0, length);
      kept = Buffer.alloc(0);
      length = 0;
      return readCsvStatement(bytes, options);
    },
  };
}
