import { type AppErrorCode, type ProblemCode, type ProblemParams, PROBLEMS, problemText } from './problems';

/** Kinds that are not the caller's fault: a sentence for the log and the operator is enough. */
type OwnFault = Exclude<AppErrorCode, 'bad_input' | 'not_found' | 'conflict' | 'forbidden' | 'misconfigured'>;

export interface AppErrorOptions {
  cause?: unknown;
  /** One line per fault, shown to the person who provided the input. */
  details?: readonly string[];
}

/** The problem, for programs: its code in `PROBLEMS`, its parameters, and the faulty field of the input, if any. */
export interface Problem {
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly field: string | undefined;
}

/**
 * A fault with a stable code: `new AppError('line_matched', { lineId })`. `code` is the kind of fault, `problem` names
 * the exact one. `PROBLEMS` builds the message. The message and the details may be shown to the caller, so they contain
 * no secrets.
 */
export class AppError<Code extends ProblemCode = ProblemCode> extends Error {
  override readonly name = 'AppError';
  readonly code: AppErrorCode;
  readonly problem: Problem;
  readonly details: readonly string[];

  constructor(kind: OwnFault, message: string, options?: AppErrorOptions);
  constructor(code: Code, params: ProblemParams<Code>, options?: AppErrorOptions);
  constructor(code: string, about: string | Readonly<Record<string, unknown>>, options: AppErrorOptions = {}) {
    const isOwn = typeof about === 'string';
    super(isOwn ? about : problemText(code, about), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = isOwn ? (code as OwnFault) : PROBLEMS[code as ProblemCode].kind;
    const params = isOwn ? {} : about;
    this.problem = { code, params, field: typeof params['field'] === 'string' ? params['field'] : undefined };
    this.details = options.details ?? [];
  }
}

/** Returns whether `error` is an AppError and, if kinds are given, has one of them. */
export function isAppError(error: unknown, ...codes: readonly AppErrorCode[]): error is AppError {
  return error instanceof AppError && (codes.length === 0 || codes.includes(error.code));
}
