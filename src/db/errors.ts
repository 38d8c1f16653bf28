import { AppError, AssertionError } from '../kernel';
import { tablesWithUnreadGuard } from './unread-guard';

/**
 * What a database error means for its transaction (the table in docs/adr/0002).
 *
 * - `retry`: certainly rolled back; the whole transaction may run again.
 * - `lost`: the connection failed or must be closed. Before COMMIT that is a rollback; at COMMIT the outcome is
 *   unknown.
 * - `unusable`: this server cannot serve now; another host or a later try may.
 * - `storage`: full, corrupt or read-only; retrying does not help.
 * - `duplicate`: a unique key was taken.
 * - `denied`: Millime's user lacks a right.
 * - `bug`: a statement that Millime should not have sent.
 */
export type DatabaseErrorClass = 'retry' | 'lost' | 'unusable' | 'storage' | 'duplicate' | 'denied' | 'bug';

/** Thrown at Millime's own deadline; the connection is destroyed. */
export class StatementDeadlineError extends Error {
  override readonly name = 'StatementDeadlineError';
  readonly code = 'MILLIME_STATEMENT_DEADLINE';
}

/** The error of a statement whose connection was ended because its host was left. */
export class HostLeftError extends Error {
  override readonly name = 'HostLeftError';
  readonly code = 'MILLIME_HOST_LEFT';
}

/**
 * The error of a statement whose answer mysql2 could not read, so that it ended the connection. A member of a cluster
 * may roll a transaction back in the middle of an answer.
 */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
  readonly code = 'MILLIME_UNREADABLE_ANSWER';
}

/** Thrown instead of a connection while every host of a cluster is lost. */
export class NoHostError extends Error {
  override readonly name = 'NoHostError';
  readonly code = 'MILLIME_NO_HOST';
}

/** How many causes of an error are read. */
const CAUSES_MAX = 8;

const BY_CODE: Readonly<Record<string, DatabaseErrorClass>> = {
  ER_LOCK_DEADLOCK: 'retry',
  ER_LOCK_WAIT_TIMEOUT: 'retry',
  ER_CHECKREAD: 'retry',
  SQLITE_BUSY: 'retry',
  SQLITE_BUSY_SNAPSHOT: 'retry',
  SQLITE_BUSY_RECOVERY: 'retry',
  SQLITE_BUSY_TIMEOUT: 'retry',
  SQLITE_LOCKED: 'retry',

  MILLIME_STATEMENT_DEADLINE: 'lost',
  MILLIME_HOST_LEFT: 'lost',
  MILLIME_UNREADABLE_ANSWER: 'lost',
  ECONNRESET: 'lost',
  EPIPE: 'lost',
  PROTOCOL_CONNECTION_LOST: 'lost',
  PROTOCOL_PACKETS_OUT_OF_ORDER: 'lost',
  PROTOCOL_SEQUENCE_TIMEOUT: 'lost',
  ER_ERROR_DURING_COMMIT: 'lost',
  ER_SERVER_SHUTDOWN: 'lost',
  ER_QUERY_INTERRUPTED: 'lost',
  ER_CONNECTION_KILLED: 'lost',

  MILLIME_NO_HOST: 'unusable',
  ECONNREFUSED: 'unusable',
  ETIMEDOUT: 'unusable',
  ENOENT: 'unusable',
  ENOTFOUND: 'unusable',
  EAI_AGAIN: 'unusable',
  EHOSTUNREACH: 'unusable',
  ENETUNREACH: 'unusable',
  ER_CON_COUNT_ERROR: 'unusable',
  ER_TOO_MANY_USER_CONNECTIONS: 'unusable',
  ER_UNKNOWN_COM_ERROR: 'unusable',
  ER_ACCESS_DENIED_ERROR: 'unusable',
  ER_DBACCESS_DENIED_ERROR: 'unusable',
  ER_BAD_DB_ERROR: 'unusable',
  HANDSHAKE_NO_SSL_SUPPORT: 'unusable',
  HANDSHAKE_SSL_ERROR: 'unusable',

  ER_RECORD_FILE_FULL: 'storage',
  ER_DISK_FULL: 'storage',
  ER_GET_ERRNO: 'storage',
  ER_OPTION_PREVENTS_STATEMENT: 'storage',
  ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION: 'storage',
  ER_READ_ONLY_MODE: 'storage',
  MILLIME_FILE_REPLACED: 'storage',
  SQLITE_FULL: 'storage',
  SQLITE_READONLY: 'storage',
  SQLITE_CORRUPT: 'storage',
  SQLITE_NOTADB: 'storage',
  SQLITE_CANTOPEN: 'storage',

  ER_TABLEACCESS_DENIED_ERROR: 'denied',
  ER_COLUMNACCESS_DENIED_ERROR: 'denied',

  ER_DUP_ENTRY: 'duplicate',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'duplicate',
  SQLITE_CONSTRAINT_UNIQUE: 'duplicate',
};

// Error numbers for which mysql2 has no name, or several names.
const BY_ERRNO: Readonly<Record<number, DatabaseErrorClass>> = {
  1020: 'retry',
  1021: 'storage',
  1030: 'storage',
  1040: 'unusable',
  1047: 'unusable',
  1053: 'lost',
  1114: 'storage',
  1180: 'lost',
  1203: 'unusable',
  1205: 'retry',
  1213: 'retry',
  1290: 'storage',
  1317: 'lost',
  1792: 'storage',
  1836: 'storage',
  1927: 'lost',
  2006: 'lost',
  2013: 'lost',
  3101: 'retry',
};

/** Returns the class of an error from a driver or the pool; undefined for errors of other origin. */
export function classifyDatabaseError(error: unknown): DatabaseErrorClass | undefined {
  if (error instanceof AppError || error instanceof AssertionError) return undefined;
  // Checked by its fields, because better-sqlite3 creates errors of the realm that loaded it first.
  if (typeof error !== 'object' || error === null) return undefined;
  const { name, message, code, errno } = error as Readonly<Record<string, unknown>>;
  if (name === 'KnexTimeoutError') return 'unusable';
  if (tablesWithUnreadGuard(error).length > 0) return 'retry';
  if (typeof code === 'string') {
    const known = BY_CODE[code];
    if (known !== undefined) return known;
    if (code.startsWith('SQLITE_IOERR')) return 'storage';
    if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CORRUPT')) return 'storage';
    if (code.startsWith('SQLITE_')) return 'bug';
  }
  if (typeof errno === 'number' && BY_ERRNO[errno] !== undefined) return BY_ERRNO[errno];
  if (/closed state|connection is (closed|not open)|database is not open/i.test(String(message))) return 'lost';
  if (typeof code === 'string' && code.startsWith('ER_')) return 'bug';
  return undefined;
}

/**
 * Returns the class of an error that ended a transaction. A server that cannot serve at COMMIT leaves the outcome
 * unknown, as a lost connection does: some members of a cluster answer 1047 there.
 */
export function classifyTransactionError(error: unknown, inCommit: boolean): DatabaseErrorClass | undefined {
  const kind = classifyDatabaseError(error);
  return inCommit && kind === 'unusable' ? 'lost' : kind;
}

/** The faults that mean that a database cannot answer now. A gateway's fault may have the same code. */
const unavailabilities = new WeakSet<object>();

/**
 * Returns whether the database was unavailable: the error, or one that caused it, is such a fault of `transact` or
 * `read`. It recovers without a change of the work or the data.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < CAUSES_MAX; depth += 1) {
    if (unavailabilities.has(cause)) return true;
    cause = cause.cause;
  }
  return false;
}

function unavailability(kind: 'unavailable' | 'outcome_unknown', message: string, cause: unknown): AppError {
  const fault = new AppError(kind, message, { cause });
  unavailabilities.add(fault);
  return fault;
}

/** Converts a database error to the fault for callers; returns other errors unchanged. */
export function toAppError(error: unknown, inCommit: boolean): unknown {
  const kind = classifyTransactionError(error, inCommit);
  if (kind === undefined) return error;
  if (kind === 'duplicate') return new AppError('duplicate_key', 'a unique key is taken', { cause: error });
  if (kind === 'denied') return deniedRight(error);
  if (kind === 'bug') return new AppError('internal', 'the database refused a statement', { cause: error });
  if (kind === 'storage') return new AppError('storage_broken', 'the database cannot store', { cause: error });
  if (inCommit && kind === 'lost') {
    return unavailability('outcome_unknown', 'a COMMIT was sent and not answered', error);
  }
  return unavailability('unavailable', 'the database cannot answer now', error);
}

/** Names the missing right and object, but no user: the driver's text contains the user and the host. */
function deniedRight(error: unknown): AppError {
  const { sqlMessage } = error as { sqlMessage?: unknown };
  const [, right] = /^(\w+) (?:\w+ )*denied to user /.exec(String(sqlMessage)) ?? [];
  const [, table] = /(?<!\w)(\w+)[`']?$/.exec(String(sqlMessage)) ?? [];
  const what = right === undefined || table === undefined ? 'a right' : `the right to ${right} on ${table}`;
  const fault = `its user lacks ${what} (docs/OPERATIONS.md, "MariaDB privileges")`;
  return new AppError('misconfigured', { field: 'DATABASE_URL', fault }, { cause: error });
}
