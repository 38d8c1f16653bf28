import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppError } from '../../kernel';
import { openAccounts } from '../account-store';
import { openChain } from '../chain/chain-store';
import {
  findNeighbors,
  identitiesOfNeighbors,
  identitiesOfOtherStatements,
  type Neighbor,
} from '../chain/identities-of-other-statements';
import { IdentityCounter } from '../chain/line-identity';
import { openPending } from '../pending/pending-store';
import type { BankFile } from '../reading/bank-file';
import type { Reading } from '../reading/choose-reader';
import type { WholeStatement } from '../reading/join-pages';
import type { ParsedLine, StatementEvent } from '../reading/parsed-statement';
import { fileFault } from '../reading/refusal';
import type { OnProgress } from '../reading/scan-bank-file';
import type { Statement } from '../statement-records';
import { BatchWriter, type LoadDeps } from './batch-writer';
import { openKnownRows } from './known-rows-store';
import type { Slot } from './take-slot';
import { bookedAmount, toPendingEntry, toStoredLine } from './to-stored-line';

/**
 * A statement that shares its first or last day with others is held in memory until it is complete, up to this length.
 */
const HELD_LINES_MAX = 5_000;

/** A statement of the file. `statement` is undefined if it is already stored and not loaded again. */
export interface StatementToLoad {
  readonly whole: WholeStatement;
  readonly statement: Statement | undefined;
}

export interface LoadRequest {
  readonly file: BankFile;
  readonly reading: Reading;
  readonly statements: readonly StatementToLoad[];
  /** The digest of the bytes of the first pass. */
  readonly sha256: string;
  readonly slot: Slot;
  readonly onProgress: OnProgress;
}

/**
 * Reads a file for the second time and writes its lines and its bytes in invisible batches. It reads the next batch
 * while the database writes one.
 */
export async function loadBankFile(deps: LoadDeps, request: LoadRequest): Promise<void> {
  const batches = new BatchWriter(deps, request.slot);
  try {
    await readInto(batches, deps, request);
  } finally {
    // No batch may be written after the rows of a failed import are removed.
    await batches.settled();
  }
}

async function readInto(batches: BatchWriter, deps: LoadDeps, request: LoadRequest): Promise<void> {
  const { file, reading, onProgress } = request;
  const lines = new LineSorter(deps, request, batches);
  const reader = reading.createReader();
  const hash = createHash('sha256');
  let bytesRead = 0;
  for (const piece of file.pieces()) {
    hash.update(piece);
    batches.addBytes(piece);
    await lines.take(reader.push(piece));
    bytesRead += piece.length;
    onProgress(bytesRead);
    // The answers of the database arrive between two pieces.
    await nextTurn();
  }
  await lines.take(reader.end());
  lines.requireAllRead();
  // The stored bytes must have this digest.
  if (hash.digest('hex') !== request.sha256) throw changedWhileRead();
  await batches.finish();
}

/** Assigns each line to its statement and converts it to a row. */
class LineSorter {
  readonly #deps: LoadDeps;
  readonly #request: LoadRequest;
  readonly #batches: BatchWriter;
  /** The index of the current statement of the file, and the number of its completed pages and lines. */
  #index = 0;
  #pages = 0;
  #position = 0;
  #open: OpenStatement | undefined;
  /** The lines of a statement with neighbors, until all of them are read. */
  #held: ParsedLine[] = [];
  /** The statements loaded from this file, by account and currency, to find those that share a day. */
  readonly #loaded: Statement[] = [];

  constructor(deps: LoadDeps, request: LoadRequest, batches: BatchWriter) {
    this.#deps = deps;
    this.#request = request;
    this.#batches = batches;
  }

  async take(events: readonly StatementEvent[]): Promise<void> {
    for (const event of events) {
      if (event.kind === 'line') await this.#addLine(event.line);
      else await this.#endPage();
    }
  }

  /** Checks that both passes read the same statements. */
  requireAllRead(): void {
    if (this.#index !== this.#request.statements.length) throw changedWhileRead();
  }

  async #addLine(line: ParsedLine): Promise<void> {
    const current = this.#request.statements[this.#index];
    if (current === undefined) throw changedWhileRead();
    const { statement } = current;
    if (statement === undefined) return;
    this.#open ??= await this.#begin(statement);
    if (this.#open.neighbors.length > 0) this.#held.push(line);
    else await this.#store(line, statement, this.#open);
  }

  async #store(line: ParsedLine, statement: Statement, open: OpenStatement): Promise<void> {
    this.#position += 1;
    const place = { statement, position: this.#position };
    if (statement.kind === 'interim' || line.status !== 'booked') {
      await this.#batches.addPending(toPendingEntry(line, place));
    } else {
      const stored = toStoredLine(line, place, open);
      await this.#batches.addLine({ line: stored, otherIdentities: open.counter.othersOf(stored), ...open });
    }
  }

  /** Stores the held lines, because only all of them together show which neighbors have another part of the day. */
  async #storeHeld(statement: Statement, { neighbors, taken, ...rest }: OpenStatement): Promise<void> {
    const lines = this.#held;
    this.#held = [];
    const booked = lines
      .filter(({ status }) => status === 'booked')
      .map((line) => ({ bookingDate: line.bookingDate, amountMinor: bookedAmount(line, statement) }));
    const all = new Set([...taken, ...identitiesOfNeighbors(neighbors, statement, booked)]);
    const open = { ...rest, neighbors: [], taken: all, counter: new IdentityCounter(all, rest.otherNames) };
    for (const line of lines) await this.#store(line, statement, open);
  }

  async #endPage(): Promise<void> {
    const current = this.#request.statements[this.#index];
    if (current === undefined) throw changedWhileRead();
    this.#pages += 1;
    if (this.#pages < current.whole.pages) return;
    if (this.#open !== undefined && current.statement !== undefined) {
      await this.#storeHeld(current.statement, this.#open);
    }
    if (current.statement !== undefined) this.#loaded.push(current.statement);
    this.#index += 1;
    this.#pages = 0;
    this.#position = 0;
    this.#open = undefined;
  }

  async #begin(statement: Statement): Promise<OpenStatement> {
    const { database } = this.#deps;
    const payoutPattern = this.#request.reading.payoutPattern(statement.account);
    const shares = this.#loaded.some((before) => sharesDays(before, statement));
    // Only stored lines of earlier statements of this file can be found.
    if (shares) await this.#batches.flush();
    return database.read(async (session) => {
      const mayBeKnown = shares || (await openKnownRows(session).hasOtherLines(statement));
      const chain = openChain(session);
      const taken = mayBeKnown ? await identitiesOfOtherStatements(chain, statement) : new Set<string>();
      const mayHaveNeighbors = mayBeKnown && statement.entries <= HELD_LINES_MAX;
      const neighbors = mayHaveNeighbors ? await findNeighbors(chain, statement) : [];
      const mayBeAnnounced = await openPending(session).hasOpen(statement.account, statement.currency);
      const otherNames = (await openAccounts(session).namesOf(statement.account)).slice(1);
      const counter = new IdentityCounter(taken, otherNames);
      return { mayBeKnown, mayBeAnnounced, neighbors, taken, otherNames, counter, payoutPattern };
    });
  }
}

interface OpenStatement {
  /** Whether other statements have lines on its days, so that its lines may be stored already. */
  readonly mayBeKnown: boolean;
  readonly mayBeAnnounced: boolean;
  readonly neighbors: readonly Neighbor[];
  /** Identities of other lines, however equal. */
  readonly taken: ReadonlySet<string>;
  /** The other names under which statements of the account are stored. */
  readonly otherNames: readonly string[];
  readonly counter: IdentityCounter;
  readonly payoutPattern: RegExp | undefined;
}

function changedWhileRead(): AppError {
  return fileFault('the file changed while it was read', { fix: 'import it again' });
}

/** Returns whether two statements of one account have lines on the same days. */
function sharesDays(a: Statement, b: Statement): boolean {
  if (a.account !== b.account || a.currency !== b.currency) return false;
  if (a.firstDate === undefined || a.lastDate === undefined) return false;
  if (b.firstDate === undefined || b.lastDate === undefined) return false;
  return a.firstDate <= b.lastDate && b.firstDate <= a.lastDate;
}
