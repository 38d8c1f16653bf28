import { type CodedNotice, type Notice, noticeLine } from './notice';
import type { AppErrorCode } from './problem-type';
import { type ProblemCode, problemNotice, type ProblemParams, PROBLEMS } from './problems';

/** One of several faults; with its code and parameters if it is one of a closed list. */
export type Fault = Notice & Partial<CodedNotice>;

/** Kinds that are not the caller's fault: a sentence for the log and the operator is enough. */
type OwnFault = Exclude<AppErrorCode, 'bad_input' | 'not_found' | 'conflict' | 'forbidden' | 'misconfigured'>;

export interface AppErrorOptions {
  cause?: unknown;
  /** One text or notice per fault, shown to the person who provided the input. */
  details?: readonly (string | Fault)[];
  /** The number of faults, if `details` has only the first. */
  faultCount?: number;
}

/** The problem, for programs: its code in `PROBLEMS`, its parameters, and the faulty field of the input, if any. */
export interface Problem {
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly field: string | undefined;
}

/**
 * A fault with a stable code: `new AppError('line_matched', { lineId })`. `code` is the kind of fault, `problem` names
 * the exact one. `PROBLEMS` builds the notice. The notice and the faults may be shown to the caller, so they contain no
 * secrets.
 */
export class AppError<Code extends ProblemCode = ProblemCode> extends Error {
  override readonly name = 'AppError';
  readonly code: AppErrorCode;
  readonly problem: Problem;
  /** The message in two parts. */
  readonly notice: Notice;
  readonly faults: readonly Fault[];
  /** The faults as the command line prints them, a line each. */
  readonly details: readonly string[];
  /** The number of faults, of which `faults` may have only the first. */
  readonly faultCount: number;

  constructor(kind: OwnFault, message: string, options?: AppErrorOptions);
  constructor(code: Code, params: ProblemParams<Code>, options?: AppErrorOptions);
  constructor(code: string, about: string | Readonly<Record<string, unknown>>, options: AppErrorOptions = {}) {
    const isOwn = typeof about === 'string';
    const notice = isOwn ? { text: about } : problemNotice(code, about);
    super(noticeLine(notice), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = isOwn ? (code as OwnFault) : PROBLEMS[code as ProblemCode].kind;
    const params = isOwn ? {} : about;
    this.problem = { code, params, field: typeof params['field'] === 'string' ? params['field'] : undefined };
    this.notice = notice;
    this.faults = (options.details ?? []).map((each) => (typeof each === 'string' ? { text: each } : each));
    this.details = this.faults.map(noticeLine);
    this.faultCount = options.faultCount ?? this.faults.length;
  }
}

/** Returns whether `error` is an AppError and, if kinds are given, has one of them. */
export function isAppError(error: unknown, ...codes: readonly AppErrorCode[]): error is AppError {
  return error instanceof AppError && (codes.length === 0 || codes.includes(error.code));
}
