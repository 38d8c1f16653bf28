import { createHash } from 'node:crypto';
import type { Database } from '../../db';
import { type Actor, requireScope } from '../../identity';
import { AppError, assert, HOUR_MS, MINUTE_MS, newId } from '../../kernel';
import type { Logger } from '../../logging';
import type { BankFile } from '../reading/bank-file';
import { openUploads, type UploadRow } from './upload-store';

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
  readonly pieces: AsyncIterable<Buffer>;
  readonly actor: Actor;
}

export interface UploadDeps {
  readonly database: Database;
  readonly logger: Logger;
}

/** Bank files in the database, so that any process can read them. */
export interface Uploads {
  /**
   * Stores a file as it arrives. If it does not arrive whole, nothing of it stays.
   *
   * @throws AppError `bad_input` for an empty file; and every error of `pieces`.
   */
  receive(command: UploadCommand): Promise<Upload>;
  /** @throws AppError `not_found`, also after its expiry. */
  find(id: string): Promise<Upload>;
  /** Returns the content of an upload. @throws AppError `not_found`. */
  file(id: string): Promise<BankFile>;
  /** @throws AppError `not_found`. */
  remove(id: string, actor: Actor): Promise<void>;
  /** Removes expired uploads. */
  removeExpired(signal?: AbortSignal): Promise<void>;
}

export function createUploads(deps: UploadDeps): Uploads {
  const { database } = deps;
  const find = async (id: string): Promise<Upload> =>
    requireUpload(id, await database.read((session) => openUploads(session).find(id)));
  return {
    receive: (command) => receive(deps, command),
    find,
    async file(id) {
      const { name, sizeBytes } = await find(id);
      const chunks = await database.read((session) => openUploads(session).chunks(id));
      const isWhole = chunks.reduce((total, chunk) => total + chunk.length, 0) === sizeBytes;
      if (!isWhole) throw new AppError('not_found', { thing: 'upload', id });
      return { name, sizeBytes, pieces: () => chunks };
    },
    async remove(id, actor) {
      requireScope(actor, 'statements:write');
      const isRemoved = await database.transact((session) => openUploads(session).remove(id));
      if (!isRemoved) throw new AppError('not_found', { thing: 'upload', id });
    },
    removeExpired: (signal) => removeExpired(deps, signal),
  };
}

function requireUpload(id: string, found: UploadRow | undefined): Upload {
  const sha256 = found?.sha256;
  if (found === undefined || sha256 === undefined) throw new AppError('not_found', { thing: 'upload', id });
  return { ...found, sha256 };
}

async function receive(deps: UploadDeps, { name, pieces, actor }: UploadCommand): Promise<Upload> {
  requireScope(actor, 'statements:write');
  const { database } = deps;
  await removeExpired(deps);
  const id = newId();
  await database.transact((session) => openUploads(session).add({ id, name, createdBy: actor.name }, RECEIVING_MS));
  try {
    const whole = await storePieces(deps, id, pieces);
    if (whole.sizeBytes === 0) throw new AppError('bad_input', { field: 'body', expected: 'the bytes of a file' });
    const isThere = await database.transact((session) => openUploads(session).finish(id, whole, KEPT_MS));
    if (!isThere) throw tooSlow();
  } catch (error) {
    await removeQuietly(deps, id);
    throw error;
  }
  const found = await database.read((session) => openUploads(session).find(id));
  assert(found !== undefined, 'an upload is there when it is complete');
  return requireUpload(id, found);
}

async function storePieces(
  { database }: UploadDeps,
  id: string,
  pieces: AsyncIterable<Buffer>,
): Promise<{ readonly sha256: string; readonly sizeBytes: number }> {
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

async function* inChunks(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
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
