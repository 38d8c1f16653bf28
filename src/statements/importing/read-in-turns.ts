import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BankFile } from '../reading/bank-file';
import type { Reading } from '../reading/choose-reader';
import type { StatementEvent } from '../reading/parsed-statement';
import type { OnProgress } from '../reading/scan-bank-file';

export interface ReadInTurns {
  readonly file: BankFile;
  readonly reading: Reading;
  readonly onProgress: OnProgress;
  /** Takes the bytes of a piece, before what they say. */
  onBytes(piece: Buffer): void;
  onEvents(events: readonly StatementEvent[]): Promise<void>;
}

/** Reads a file while its lines are written: between two pieces the answers of the database come in. Gives its sha256. */
export async function readInTurns({ file, reading, onProgress, onBytes, onEvents }: ReadInTurns): Promise<string> {
  const reader = reading.createReader();
  const hash = createHash('sha256');
  let bytesRead = 0;
  for (const piece of file.pieces()) {
    hash.update(piece);
    onBytes(piece);
    await onEvents(reader.push(piece));
    bytesRead += piece.length;
    onProgress(bytesRead);
    await nextTurn();
  }
  await onEvents(reader.end());
  return hash.digest('hex');
}
