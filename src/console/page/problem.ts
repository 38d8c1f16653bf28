import { ApiRefusal, faultBody, refusalBody } from '../../api';
import { AppError, isAppError } from '../../kernel';
import { OutcomeRefused } from './outcome-refused';

/** Why a request was refused, as the API answers it. */
export interface Problem {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly errors: readonly ProblemFault[];
  readonly errorCount: number;
}

interface ProblemFault {
  /** A JSON pointer to the field. */
  readonly pointer?: string;
  readonly detail: string;
}

/** What an installation does without: people are told, and an administrator can set it up. */
const NOT_SET_UP: ReadonlySet<string> = new Set(['gateway_off', 'notifications_off']);

/** Returns the problem of an error; undefined for a fault of Millime, which is logged and not told. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof OutcomeRefused) {
    const errors = [{ pointer: `/${error.field}`, detail: error.message }];
    return { ...ownProblem('bad_input', 400), errors, errorCount: 1 };
  }
  if (error instanceof ApiRefusal) return toProblem(refusalBody(error));
  const isExpected = isAppError(error, 'bad_input', 'not_found', 'conflict', 'forbidden');
  if (isExpected || (isAppError(error) && NOT_SET_UP.has(error.problem.code))) return toProblem(faultBody(error));
  return undefined;
}

/** Returns a problem of the console itself. */
export function ownProblem(code: string, status: number, detail = ''): Problem {
  return { code, status, detail, params: {}, errors: [], errorCount: 0 };
}

function toProblem(body: Readonly<Record<string, unknown>>): Problem {
  const { code, status, detail, params, errors = [], errorCount = 0 } = body as Partial<Problem>;
  // Beside the parameters in the answer of the API, because a program reads it of every problem.
  const when = 'retryAfterMs' in body ? { retryAfterMs: body['retryAfterMs'] } : {};
  const known = { code: code ?? 'unavailable', status: status ?? 503, detail: detail ?? '' };
  return { ...known, params: { ...params, ...when }, errors, errorCount };
}

/** Returns the error that a page throws if its path names nothing. */
export function nothingHere(thing: string, id: string): AppError {
  return new AppError('not_found', { thing, id });
}
