import { createHash } from 'node:crypto';
import type { Database, Session } from '../../db';
import { type Actor, isPerson, openAuditTrail, requireScope } from '../../identity';
import { AppError, assert, type Clock, HOUR_MS, type Instant, MINUTE_MS, newId } from '../../kernel';
import type { Logger } from '../../logging';
import type { BankFile } from '../reading/bank-file';
import { NO_UPLOADS, requireQuota, type UploadLimits } from './upload-limits';
import { openUploads, type UploadRow, type UploadStore } from './upload-store';

/** A piece fits into one packet of every database. */
const CHUNK_BYTES = 512 * 1024;
/** How long an upload is kept for its import. */
const KEPT_MS = 24 * HOUR_MS;
/** A process that was killed while it received an upload leaves rows for this time. */
const RECEIVING_MS = 15 * MINUTE_MS;
const REMOVED_AT_A_TIME = 20;

/** A bank file that was sent for a later import. */
export interface Upload extends UploadRow {
  readonly sha256: string;
}

export interface UploadCommand {
  readonly name: string;
  /** No more bytes arrive. */
  readonly bytesMax: number;
  readonly pieces: AsyncIterable<Buffer>;
  readonly actor: Actor;
}

export interface UploadDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Undefined: no upload is accepted. */
  readonly uploadLimits?: UploadLimits;
}

/**
 * Bank files in the database, so that any process can read them. For everyone but the owner of an upload and those with
 * the scope `statements:accept`, it does not exist.
 */
export interface Uploads {
  /**
   * Stores a file as it arrives. If it does not arrive whole, nothing of it stays.
   *
   * @throws AppError `upload_quota` before a byte is read; `bad_input` for an empty file; and every error of `pieces`.
   */
  receive(command: UploadCommand): Promise<Upload>;
  /** @throws AppError `not_found`, also after its expiry. */
  find(id: string, actor: Actor): Promise<Upload>;
  /** Returns the content of an upload. @throws AppError `not_found`. */
  file(id: string, actor: Actor): Promise<BankFile>;
  /** @throws AppError `not_found`. */
  remove(id: string, actor: Actor): Promise<void>;
  /** Removes expired uploads. */
  removeExpired(signal?: AbortSignal): Promise<void>;
}

export function createUploads(deps: UploadDeps): Uploads {
  const { database } = deps;
  const find = (id: string, actor: Actor): Promise<Upload> =>
    database.read((session) => requireUpload(openUploads(session), id, actor));
  return {
    receive: (command) => receive(deps, command),
    find,
    async file(id, actor) {
      const { name, sizeBytes } = await find(id, actor);
      const chunks = await database.read((session) => openUploads(session).chunks(id));
      const isWhole = chunks.reduce((total, chunk) => total + chunk.length, 0) === sizeBytes;
      if (!isWhole) throw notFound(id);
      return { name, sizeBytes, pieces: () => chunks };
    },
    remove: (id, actor) => remove(deps, id, actor),
    removeExpired: (signal) => removeExpired(deps, signal),
  };
}

/** @throws AppError `not_found` also for another actor without the right to accept statements. */
async function requireUpload(store: UploadStore, id: string, actor: Actor): Promise<Upload> {
  const found = await store.find(id);
  const sha256 = found?.sha256;
  if (found === undefined || sha256 === undefined || !mayUse(actor, found)) throw notFound(id);
  return { ...found, sha256 };
}

function mayUse(actor: Actor, { createdBy }: UploadRow): boolean {
  return !isPerson(actor) || actor.name === createdBy || actor.scopes.has('statements:accept');
}

function notFound(id: string): AppError {
  return new AppError('not_found', { thing: 'upload', id });
}

async function remove({ database, clock }: UploadDeps, id: string, actor: Actor): Promise<void> {
  requireScope(actor, 'statements:write');
  await database.transact(async (session) => {
    const store = openUploads(session);
    const upload = await requireUpload(store, id, actor);
    // Another removal may have been faster.
    if (!(await store.remove(id))) throw notFound(id);
    await record(session, { at: clock.now(), actor, action: 'upload.removed', upload });
  });
}

async function receive(deps: UploadDeps, { name, bytesMax, pieces, actor }: UploadCommand): Promise<Upload> {
  requireScope(actor, 'statements:write');
  const { database, uploadLimits = NO_UPLOADS } = deps;
  await removeExpired(deps);
  const id = newId();
  await database.transact(async (session) => {
    const store = openUploads(session);
    await store.lockQuota();
    requireQuota(uploadLimits, await store.kept(), { createdBy: actor.name, sizeBytes: bytesMax });
    await store.add({ id, name, createdBy: actor.name, sizeBytes: bytesMax }, RECEIVING_MS);
  });
  try {
    const whole = await storePieces(deps, id, pieces);
    assert(whole.sizeBytes <= bytesMax, 'no more bytes arrive than announced');
    if (whole.sizeBytes === 0) throw new AppError('bad_input', { field: 'body', expected: 'the bytes of a file' });
    return await complete(deps, id, whole, actor);
  } catch (error) {
    await removeQuietly(deps, id);
    throw error;
  }
}

function complete({ database, clock }: UploadDeps, id: string, whole: Whole, actor: Actor): Promise<Upload> {
  return database.transact(async (session) => {
    const store = openUploads(session);
    if (!(await store.finish(id, whole, KEPT_MS))) throw tooSlow();
    const upload = await requireUpload(store, id, actor);
    await record(session, { at: clock.now(), actor, action: 'upload.received', upload });
    return upload;
  });
}

interface Recorded {
  readonly at: Instant;
  readonly actor: Actor;
  readonly action: 'upload.received' | 'upload.removed';
  readonly upload: Upload;
}

function record(session: Session, { upload: { id, sha256, sizeBytes }, ...entry }: Recorded): Promise<void> {
  return openAuditTrail(session).record({ ...entry, subject: `upload:${id}`, detail: { sha256, sizeBytes } });
}

interface Whole {
  readonly sha256: string;
  readonly sizeBytes: number;
}

async function storePieces({ database }: UploadDeps, id: string, pieces: AsyncIterable<Buffer>): Promise<Whole> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  let position = 0;
  for await (const chunk of inChunks(pieces)) {
    hash.update(chunk);
    sizeBytes += chunk.length;
    position += 1;
    const at = position;
    if (!(await database.transact((session) => openUploads(session).append(id, at, chunk, RECEIVING_MS)))) {
      throw tooSlow();
    }
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

/** Joins small pieces and splits large ones: a chunk is one statement, which a server accepts up to its packet size. */
async function* inChunks(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length; from += CHUNK_BYTES) {
      const part = piece.subarray(from, from + CHUNK_BYTES);
      waiting.push(part);
      bytes += part.length;
      if (bytes < CHUNK_BYTES) continue;
      yield Buffer.concat(waiting);
      waiting = [];
      bytes = 0;
    }
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

function tooSlow(): AppError {
  return new AppError('unavailable', 'the upload expired while it was received');
}

/** Best effort: after their expiry, the next upload or the job removes the rows. */
async function removeQuietly({ database, logger }: UploadDeps, id: string): Promise<void> {
  try {
    await database.transact((session) => openUploads(session).remove(id));
  } catch (error) {
    logger.warn('rows of a failed upload not removed', { event: 'statements.upload_left', uploadId: id, error });
  }
}

async function removeExpired({ database }: UploadDeps, signal?: AbortSignal): Promise<void> {
  for (let found = REMOVED_AT_A_TIME; found === REMOVED_AT_A_TIME && signal?.aborted !== true;) {
    const ids = await database.read((session) => openUploads(session).expired(REMOVED_AT_A_TIME));
    for (const id of ids) await database.transact((session) => openUploads(session).remove(id));
    found = ids.length;
  }
}
