import type { Session } from '../../db';
import { isAppError, newId, pagesOf } from '../../kernel';
import type { BankFile } from '../reading/bank-file';
import { BatchWriter, type LoadDeps } from './batch-writer';
import type { Reading } from '../reading/choose-reader';
import { exponentOf } from '../reading/currencies';
import { joinPages, type WholeStatement } from '../reading/join-pages';
import { IdentityCounter } from '../chain/line-identity';
import { openLoading } from './loading-store';
import { accountKey, newStatement } from './new-statement';
import type { ParsedLine, StatementBegin, StatementEvent } from '../reading/parsed-statement';
import { openPending } from '../pending/pending-store';
import { StatementScan, type OnProgress, type ScannedStatement } from '../reading/scan-bank-file';
import { sharesDays } from '../chain/shares-days';
import { readInTurns } from './read-in-turns';
import type { Slot } from './take-slot';
import type { Statement } from '../statement-records';
import { toPendingEntry, toStoredLine } from './to-stored-line';

const STATEMENTS_PER_READ = 500;
const READ_DEADLINE_MS = 60_000;

export interface OnePassRequest {
  readonly file: BankFile;
  readonly reading: Reading;
  readonly sha256: string;
  readonly slot: Slot;
  readonly onProgress: OnProgress;
}

export interface LoadedInOnePass {
  readonly scanned: readonly ScannedStatement[];
  /** The statements whose lines were written; undefined when it turned out that they cannot stay like this. */
  readonly statements: readonly Statement[] | undefined;
}

/**
 * Reads a large file once instead of twice: writes its lines while it is still unknown whether the file is good. That
 * holds for the common large file, whose statements say first of whose account they are and bring days of which nothing
 * is known. Where anything is otherwise, `statements` is undefined: the caller removes what was written, which was never
 * visible, and loads the file in the careful way.
 */
export async function loadInOnePass(deps: LoadDeps, request: OnePassRequest): Promise<LoadedInOnePass> {
  const batches = new BatchWriter(deps, request.slot);
  try {
    return await readInto(batches, deps, request);
  } finally {
    // No batch may arrive after the rows are removed.
    await batches.settled();
  }
}

async function readInto(
  batches: BatchWriter,
  deps: LoadDeps,
  { file, reading, sha256, slot, onProgress }: OnePassRequest,
): Promise<LoadedInOnePass> {
  const scan = new StatementScan();
  const lines = new EagerWriter(deps, { reading, fileId: slot.fileId, batches });
  const read = await readInTurns({
    file,
    reading,
    onProgress,
    onBytes: (piece) => {
      if (lines.isPossible) batches.addBytes(piece);
    },
    onEvents: (events) => {
      scan.take(events);
      return lines.take(events);
    },
  });
  const scanned = scan.statements();
  await lines.write(() => batches.finish());
  const statements = lines.isPossible && read === sha256 ? await lines.settle(joinPages(scanned), slot) : undefined;
  return { scanned, statements };
}

/** Writes lines as they come, as long as that is possible. */
class EagerWriter {
  readonly #deps: LoadDeps;
  readonly #reading: Reading;
  readonly #fileId: string;
  readonly #batches: BatchWriter;
  readonly #begun: Statement[] = [];
  #open: OpenStatement | undefined;
  isPossible = true;

  constructor(
    deps: LoadDeps,
    given: { readonly reading: Reading; readonly fileId: string; readonly batches: BatchWriter },
  ) {
    this.#deps = deps;
    this.#reading = given.reading;
    this.#fileId = given.fileId;
    this.#batches = given.batches;
  }

  async take(events: readonly StatementEvent[]): Promise<void> {
    for (const event of events) {
      if (!this.isPossible) return;
      if (event.kind === 'line') {
        const full = this.#addLine(event.line);
        if (full !== undefined) await this.write(() => full);
      } else if (event.kind === 'begin') await this.#begin(event.begin);
      else {
        // A statement without lines has said nothing before its end.
        if (this.#open === undefined) await this.#begin(event.statement);
        this.#open = undefined;
      }
    }
  }

  /** A line that is there already ends the attempt; any other failure is one. */
  async write(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isAppError(error, 'duplicate_key')) throw error;
      this.isPossible = false;
    }
  }

  /** What was known at the beginning of each statement is replaced by what is known now, if it is of the same account. */
  async settle(wholes: readonly WholeStatement[], slot: Slot): Promise<readonly Statement[] | undefined> {
    if (wholes.length !== this.#begun.length) return undefined; // there were pages
    const settled = wholes.map((whole, index) => this.#settled(whole, index));
    const statements = settled.filter((statement) => statement !== undefined);
    if (statements.length !== settled.length || shareDays(statements)) return undefined;
    const { database } = this.#deps;
    for (const page of pagesOf(statements, STATEMENTS_PER_READ)) {
      const isNew = await slot.read(database, READ_DEADLINE_MS, (session) => areNew(session, page));
      if (!isNew) return undefined;
    }
    return statements;
  }

  #settled(whole: WholeStatement, index: number): Statement | undefined {
    const begun = this.#begun[index];
    if (begun === undefined) return undefined;
    const { fileId, position, account, id } = begun;
    const now = { ...newStatement(whole, { fileId, position, account: undefined }), id };
    return now.account === account && now.currency === begun.currency && now.kind === begun.kind ? now : undefined;
  }

  async #begin({ kind, account = '', currency }: StatementBegin): Promise<void> {
    const key = accountKey(account);
    if (key === '' || currency === undefined || exponentOf(currency) === undefined) {
      this.isPossible = false;
      return;
    }
    const statement = begunStatement({ kind, account: key, currency }, this.#fileId, this.#begun.length + 1);
    this.#begun.push(statement);
    this.#batches.addStatement(statement);
    const mayBeAnnounced = await this.#deps.database.read((session) => openPending(session).hasOpen(key, currency));
    const payoutPattern = this.#reading.payoutPattern(key);
    this.#open = { statement, position: 0, counter: new IdentityCounter(new Set()), mayBeAnnounced, payoutPattern };
  }

  #addLine(line: ParsedLine): Promise<void> | undefined {
    const open = this.#open;
    if (open === undefined || (line.currency ?? open.statement.currency) !== open.statement.currency) {
      this.isPossible = false;
      return undefined;
    }
    open.position += 1;
    const place = { statement: open.statement, position: open.position };
    if (open.statement.kind === 'interim' || line.status !== 'booked') {
      return this.#batches.addPending(toPendingEntry(line, place));
    }
    const { mayBeAnnounced } = open;
    return this.#batches.addLine({ line: toStoredLine(line, place, open), mayBeKnown: false, mayBeAnnounced });
  }
}

interface OpenStatement {
  readonly statement: Statement;
  position: number;
  readonly counter: IdentityCounter;
  readonly mayBeAnnounced: boolean;
  readonly payoutPattern: RegExp | undefined;
}

/** A statement of which only the account is known. It is rewritten before it becomes visible. */
function begunStatement(
  known: Pick<Statement, 'kind' | 'account' | 'currency'>,
  fileId: string,
  position: number,
): Statement {
  return {
    ...known,
    id: newId(),
    fileId,
    position,
    bankId: '',
    number: '',
    verdict: 'no-proof',
    hold: undefined,
    openingMinor: undefined,
    closingMinor: undefined,
    creditsMinor: 0,
    debitsMinor: 0,
    entries: 0,
    pendingEntries: 0,
    from: undefined,
    through: undefined,
    firstDate: undefined,
    lastDate: undefined,
    fingerprint: '',
    notes: [],
  };
}

/** Whether no other file has the statement, or lines on its days. */
async function areNew(session: Session, statements: readonly Statement[]): Promise<boolean> {
  const loading = openLoading(session);
  for (const statement of statements) {
    if ((await loading.sameStatements(statement)).length > 0) return false;
    if (await loading.hasOtherLines(statement)) return false;
  }
  return true;
}

function shareDays(statements: readonly Statement[]): boolean {
  return statements.some((statement, index) =>
    statements.slice(0, index).some((before) => sharesDays(before, statement)),
  );
}
