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
import { knownByContent } from '../chain/known-by-content';
import { IdentityCounter } from '../chain/line-identity';
import { openPending } from '../pending/pending-store';
import type { BankFile } from '../reading/bank-file';
import type { Reading } from '../reading/choose-reader';
import type { WholeStatement } from '../reading/join-pages';
import type { ParsedLine, StatementEvent } from '../reading/parsed-statement';
import { fileFault } from '../reading/refusal';
import type { OnProgress } from '../reading/scan-bank-file';
import type { Statement, StatementLine } from '../statement-records';
import { BatchWriter, type LoadDeps } from './batch-writer';
import { openKnownRows } from './known-rows-store';
import type { Slot } from './take-slot';
import { toPendingEntry, toStoredLine } from './to-stored-line';

/**
 * A statement that shares days with others in ways that each line alone does not show is held in memory until it is
 * complete, up to this length.
 */
const HELD_LINES_MAX = 20_000;
const COMPARE_DEADLINE_MS = 60_000;

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
  /** The lines of a statement that is held, until all of them are read. */
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
    if (this.#open.isHeld) this.#held.push(line);
    else await this.#store(line, statement, this.#open);
  }

  async #store(line: ParsedLine, statement: Statement, open: OpenStatement): Promise<void> {
    this.#position += 1;
    const place = { statement, position: this.#position };
    if (statement.kind === 'interim' || line.status !== 'booked') {
      await this.#batches.addPending(toPendingEntry(line, place));
    } else {
      const stored = toStoredLine(line, place, open);
      const identity = open.known.get(stored.identity);
      const otherIdentities = identity === undefined ? open.counter.othersOf(stored) : [];
      const known = identity === undefined ? stored : { ...stored, identity };
      await this.#batches.addLine({ line: known, otherIdentities, ...open });
    }
  }

  /** Stores the held lines, because only all of them together show which ones other statements have. */
  async #storeHeld(statement: Statement, { neighbors, taken, ...rest }: OpenStatement): Promise<void> {
    const lines = this.#held;
    this.#held = [];
    const booked = lines.filter(({ status }) => status === 'booked');
    const identified = (open: Pick<OpenStatement, 'counter' | 'payoutPattern'>): StatementLine[] =>
      booked.map((line) => toStoredLine(line, { statement, position: 0 }, open));
    const all = new Set([...taken, ...identitiesOfNeighbors(neighbors, statement, identified(rest))]);
    const counted = (): IdentityCounter => new IdentityCounter(all, rest.otherNames);
    const known = await this.#deps.database.read(
      (session) => knownByContent(openChain(session), statement, identified({ ...rest, counter: counted() })),
      { deadlineMs: COMPARE_DEADLINE_MS },
    );
    const open = { ...rest, neighbors: [], taken: all, counter: counted(), known };
    for (const line of lines) await this.#store(line, statement, open);
  }

  async #endPage(): Promise<void> {
    const current = this.#request.statements[this.#index];
    if (current === undefined) throw changedWhileRead();
    this.#pages += 1;
    if (this.#pages < current.whole.pages) return;
    if (this.#open?.isHeld === true && current.statement !== undefined) {
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
      const mayBeHeld = mayBeKnown && statement.entries <= HELD_LINES_MAX;
      const neighbors = mayBeHeld ? await findNeighbors(chain, statement) : [];
      const isHeld = neighbors.length > 0 || (mayBeHeld && statement.openingMinor === undefined);
      const mayBeAnnounced = await openPending(session).hasOpen(statement.account, statement.currency);
      const otherNames = (await openAccounts(session).namesOf(statement.account)).slice(1);
      const counter = new IdentityCounter(taken, otherNames);
      const known = new Map<string, string>();
      return { mayBeKnown, mayBeAnnounced, isHeld, neighbors, taken, otherNames, counter, known, payoutPattern };
    });
  }
}

interface OpenStatement {
  /** Whether other statements have lines on its days, so that its lines may be stored already. */
  readonly mayBeKnown: boolean;
  readonly mayBeAnnounced: boolean;
  /** Whether its lines are stored only after all of them are read. */
  readonly isHeld: boolean;
  readonly neighbors: readonly Neighbor[];
  /** Identities of other lines, however equal. */
  readonly taken: ReadonlySet<string>;
  /** The other names under which statements of the account are stored. */
  readonly otherNames: readonly string[];
  readonly counter: IdentityCounter;
  /** The stored identities of lines that are known under another one, by their own. */
  readonly known: ReadonlyMap<string, string>;
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
