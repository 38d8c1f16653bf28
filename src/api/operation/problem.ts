import { type AppError, isAppError, PROBLEM_CODES, type ProblemCode, problemKind, SECOND_MS } from '../../kernel';
import { type Texts, textsOf } from '../../texts';

type Titles = Pick<Texts, 'problemTitle'>;

/** The problems of the API itself: of its conventions, not of the business. */
const OWN_PROBLEMS = {
  unauthenticated: 401,
  method_not_allowed: 405,
  bad_cursor: 400,
  idempotency_key_missing: 400,
  idempotency_key_reused: 422,
  idempotency_key_in_progress: 409,
  answer_lost: 409,
  secret_shown_once: 409,
  version_missing: 428,
  uri_too_long: 414,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  look_ups_limited: 429,
  busy: 503,
  draining: 503,
  unavailable: 503,
} as const satisfies Readonly<Record<string, number>>;

/** The stable code of a problem of the API. */
export type ApiProblemCode = keyof typeof OWN_PROBLEMS | ProblemCode;

/** The statuses of business problems that differ from those of their kind. */
const STATUS_OF_CODE: Readonly<Partial<Record<ProblemCode, number>>> = {
  version_changed: 412,
  file_faults: 422,
  dates_impossible: 422,
  statements_known: 422,
  gateway_refused: 422,
  upload_quota: 429,
  // A 503 would ask for a repeat, and only an operator can set up what this installation does without.
  gateway_off: 409,
  notifications_off: 409,
  signing_off: 409,
};

const STATUS_OF_KIND = { bad_input: 400, forbidden: 403, not_found: 404, conflict: 409 } as const;

/** Returns whether a fault is told to its caller, because a repeat changes nothing. Others are faults of Millime. */
export function isTold(error: unknown): error is AppError {
  if (!isAppError(error)) return false;
  return error.code in STATUS_OF_KIND || error.problem.code in STATUS_OF_CODE;
}

/** Returns the status of every problem code, in alphabetical order. */
export function problemStatuses(): ReadonlyMap<ApiProblemCode, number> {
  const codes = [...new Set<ApiProblemCode>([...PROBLEM_CODES, ...(Object.keys(OWN_PROBLEMS) as ApiProblemCode[])])];
  return new Map(codes.sort().map((code) => [code, statusOfProblem(code)]));
}

/** Returns the status of a problem. */
export function statusOfProblem(code: ApiProblemCode): number {
  if (Object.hasOwn(OWN_PROBLEMS, code)) return OWN_PROBLEMS[code as keyof typeof OWN_PROBLEMS];
  const business = code as ProblemCode;
  const kind = problemKind(business);
  return (
    STATUS_OF_CODE[business] ?? (kind in STATUS_OF_KIND ? STATUS_OF_KIND[kind as keyof typeof STATUS_OF_KIND] : 503)
  );
}

/** Where an input is wrong. `pointer` is a JSON pointer into that part of the request. */
export interface InputFault {
  readonly in: 'body' | 'query' | 'path' | 'header';
  readonly pointer: string;
  readonly detail: string;
}

export interface RefusalOptions {
  readonly faults?: readonly InputFault[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The thing to look at, as a path of the API. */
  readonly resource?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** Returns milliseconds as whole seconds of a header: at least one, so that a client waits. */
export function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / SECOND_MS));
}

/** Refuses a request before or instead of its use case. */
export class ApiRefusal extends Error implements RefusalOptions {
  override readonly name = 'ApiRefusal';
  readonly code: ApiProblemCode;
  readonly faults: readonly InputFault[];
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ApiProblemCode, detail: string, options: RefusalOptions = {}) {
    super(detail);
    this.code = code;
    this.faults = options.faults ?? [];
    const retryAfterMs = options.retryAfterMs === undefined ? undefined : Math.ceil(options.retryAfterMs);
    const retry = retryAfterMs === undefined ? {} : { 'Retry-After': String(wholeSeconds(retryAfterMs)) };
    this.headers = { ...retry, ...options.headers };
    this.resource = options.resource;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A problem names the first faults, each by so many characters, so that a large faulty file gets a small answer. */
export const ERRORS_MAX = 100;
const ERROR_CHARACTERS_MAX = 300;

/** A problem as a body (RFC 9457). */
export type ProblemBody = Readonly<Record<string, unknown>>;

/** Returns the body of a refusal. */
export function refusalBody({ code, message, faults, resource, retryAfterMs }: ApiRefusal): ProblemBody {
  return {
    ...problemType(code),
    detail: message,
    ...errorsBody(faults, faults.length),
    ...(resource === undefined ? {} : { resource }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Returns the body of a business fault. */
export function faultBody({ problem, notice, faults, faultCount }: AppError): ProblemBody {
  const { field } = problem;
  const errors = [
    ...(field === undefined ? [] : [{ pointer: `/${field}`, detail: notice.text }]),
    ...faults.map(({ code, params, text }) => ({ ...(code === undefined ? {} : { code, params }), detail: text })),
  ];
  return {
    ...problemType(problem.code as ApiProblemCode),
    detail: notice.text,
    params: withoutAdvice(problem.params),
    ...errorsBody(errors, errors.length - faults.length + faultCount),
  };
}

/** Returns the first faults of a problem, and their number. */
function errorsBody(faults: readonly { readonly detail: string }[], errorCount: number): ProblemBody {
  if (faults.length === 0) return {};
  const errors = faults.slice(0, ERRORS_MAX).map((fault) => ({ ...fault, detail: shortened(fault.detail) }));
  return { errors, errorCount };
}

function shortened(text: string): string {
  return text.length <= ERROR_CHARACTERS_MAX ? text : `${text.slice(0, ERROR_CHARACTERS_MAX).toWellFormed()}…`;
}

/** Returns the type of a problem: what all problems with this code share. Its title is English without `texts`. */
export function problemType(code: ApiProblemCode, texts: Titles = textsOf('en', 'UTC')): ProblemBody {
  const title = texts.problemTitle(code) ?? code;
  return { type: `/api/problems/${code}`, code, status: statusOfProblem(code), title };
}

/** `fix` is in the sentence, and `command` is for the command line. */
function withoutAdvice({ fix: _fix, command: _command, ...params }: Readonly<Record<string, unknown>>): ProblemBody {
  return params;
}
