import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Database, Session } from '../../db';
import type { Clock } from '../../kernel';
import type { NewPending } from '../pending/pending-keys';
import { openPending } from '../pending/pending-store';
import type { StatementLine } from '../statement-records';
import { openKnownRows } from './known-rows-store';
import { openLoadingRows, type Repeat } from './loading-rows-store';
import type { Slot } from './take-slot';

const compress = promisify(gzip);
/** Fast rather than small, because the stored bytes are rarely read. */
const COMPRESSION_LEVEL = 1;
/** Many on MariaDB, where a commit is slow. Few on SQLite, where a serving process waits for the only write lock. */
const ROWS_PER_BATCH = { mariadb: 1_000, sqlite: 500 } as const;
/** The bytes of the file in one row, before compression. */
const CHUNK_BYTES = 1024 * 1024;
const CHUNKS_PER_BATCH = 8;
const BATCH_DEADLINE_MS = 60_000;

export interface LoadDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export interface LineToWrite {
  readonly line: StatementLine;
  /** Its identities under other names of the account. */
  readonly otherIdentities: readonly string[];
  readonly mayBeKnown: boolean;
  readonly mayBeAnnounced: boolean;
}

interface Batch {
  readonly lines: LineToWrite[];
  readonly pending: NewPending[];
  readonly chunks: { readonly position: number; readonly content: Promise<Buffer> }[];
}

/** Collects rows and writes them in batches. It collects the next batch while one is written. */
export class BatchWriter {
  readonly #deps: LoadDeps;
  readonly #slot: Slot;
  #batch = emptyBatch();
  #writing: Promise<void> = Promise.resolve();
  /** Bytes that do not fill a chunk yet, and the number of chunks so far. */
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  #chunks = 0;

  constructor(deps: LoadDeps, slot: Slot) {
    this.#deps = deps;
    this.#slot = slot;
  }

  addBytes(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#pieceBytes += piece.length;
    if (this.#pieceBytes >= CHUNK_BYTES) this.#packChunk();
  }

  /** Returns a promise if the batch is full; await it before the next row. */
  addLine(line: LineToWrite): Promise<void> | undefined {
    this.#batch.lines.push(line);
    return this.#isFull() ? this.#start() : undefined;
  }

  addPending(entry: NewPending): Promise<void> | undefined {
    this.#batch.pending.push(entry);
    return this.#isFull() ? this.#start() : undefined;
  }

  #packChunk(): void {
    if (this.#pieces.length === 0) return;
    const content = compress(Buffer.concat(this.#pieces), { level: COMPRESSION_LEVEL });
    // The write of the batch reports a failure. Until then it must not count as unhandled.
    content.catch(() => undefined);
    this.#chunks += 1;
    this.#batch.chunks.push({ position: this.#chunks, content });
    this.#pieces = [];
    this.#pieceBytes = 0;
  }

  /** Writes all added rows. */
  async finish(): Promise<void> {
    this.#packChunk();
    await this.flush();
  }

  /** Writes the rows that were added so far. */
  async flush(): Promise<void> {
    await this.#start();
    await this.#writing;
  }

  /** Resolves when no batch is being written, even if one failed. */
  async settled(): Promise<void> {
    await this.#writing.catch(() => undefined);
  }

  #isFull(): boolean {
    const { lines, pending, chunks } = this.#batch;
    const rows = lines.length + pending.length;
    return rows >= ROWS_PER_BATCH[this.#deps.database.dialect] || chunks.length >= CHUNKS_PER_BATCH;
  }

  /** Begins to write the batch after the one before is written. */
  async #start(): Promise<void> {
    await this.#writing;
    this.#writing = this.#write(this.#batch);
    this.#writing.catch(() => undefined);
    this.#batch = emptyBatch();
  }

  async #write({ lines, pending, chunks }: Batch): Promise<void> {
    if (lines.length + pending.length + chunks.length === 0) return;
    const packed: [number, Buffer][] = [];
    for (const { position, content } of chunks) packed.push([position, await content]);
    const now = this.#deps.clock.now();
    await this.#slot.whileHeld(this.#deps.database, BATCH_DEADLINE_MS, async (session) => {
      const loading = openLoadingRows(session);
      for (const [position, content] of packed) await loading.insertChunk(this.#slot.fileId, position, content);
      await writeLines(session, lines, now);
      await loading.insertPending(pending);
      await openPending(session).replaceBooked(pending, now);
    });
  }
}

function emptyBatch(): Batch {
  return { lines: [], pending: [], chunks: [] };
}

async function writeLines(session: Session, lines: readonly LineToWrite[], now: number): Promise<void> {
  const toLookUp = lines.filter(({ mayBeKnown }) => mayBeKnown).flatMap(identitiesOf);
  if (toLookUp.length === 0) return writeFresh(session, lines, now);
  const known = await openKnownRows(session).linesByIdentity(toLookUp);
  const fresh: LineToWrite[] = [];
  const repeats: Repeat[] = [];
  for (const each of lines) {
    const { identity, statementId, position, id } = each.line;
    const lineId = identitiesOf(each)
      .map((any) => known.get(any))
      .find((found) => found !== undefined);
    if (lineId !== undefined) {
      repeats.push({ statementId, position, lineId });
      continue;
    }
    known.set(identity, id);
    fresh.push(each);
  }
  await writeFresh(session, fresh, now);
  await openLoadingRows(session).insertRepeats(repeats);
}

function identitiesOf({ line, otherIdentities }: LineToWrite): string[] {
  return [line.identity, ...otherIdentities];
}

async function writeFresh(session: Session, lines: readonly LineToWrite[], now: number): Promise<void> {
  await openLoadingRows(session).insertLines(lines.map(({ line }) => line));
  const announced = lines.filter(({ mayBeAnnounced }) => mayBeAnnounced).map(({ line }) => line);
  if (announced.length > 0) await openPending(session).replaceWith(announced, now);
}
