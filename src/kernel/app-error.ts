/**
 * The stable codes of faults. Callers compare codes, never message text.
 *
 * - `bad_input`: what the caller gave cannot be accepted; `details` lists one line per problem.
 * - `not_found`, `conflict`: the thing does not exist, or its state forbids the change.
 * - `misconfigured`: the environment or a file of the installation is wrong; the message names it.
 * - `forbidden`: the caller may not do this; the message says at most which right is missing.
 * - `unavailable`: a service that we need (the database, most often) cannot answer now; trying again later is right.
 * - `outcome_unknown`: a COMMIT was sent and its answer never came; it may or may not be stored.
 * - `storage_broken`: the database cannot store (disk full, corrupt, read-only); an operator must act.
 * - `interrupted`: a long job ended in the middle; what it had done is kept, and running it again goes on from there.
 * - `duplicate_key`: a unique key was taken by somebody else first.
 * - `internal`: our own bug.
 */
export type AppErrorCode =
  | 'bad_input'
  | 'not_found'
  | 'conflict'
  | 'misconfigured'
  | 'forbidden'
  | 'unavailable'
  | 'outcome_unknown'
  | 'storage_broken'
  | 'interrupted'
  | 'duplicate_key'
  | 'internal';

export interface AppErrorOptions {
  cause?: unknown;
  /** One line per problem, shown to the person who gave the input. */
  details?: readonly string[];
}

/** A fault with a stable code. Its message and details may be shown to the caller: they hold no secrets. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: AppErrorCode;
  readonly details: readonly string[];

  constructor(code: AppErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
  }
}

/** Says whether `error` is one of our faults, and of one of the given codes when any are given. */
export function isAppError(error: unknown, ...codes: readonly AppErrorCode[]): error is AppError {
  return error instanceof AppError && (codes.length === 0 || codes.includes(error.code));
}
