import { ApiRefusal, faultBody, isTold, refusalBody } from '../../api';
import { AppError } from '../../kernel';
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

/** Returns the problem of an error; undefined for a fault of Millime, which is logged and not told. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof OutcomeRefused) {
    const errors = [{ pointer: `/${error.field}`, detail: error.message }];
    return { ...ownProblem('bad_input', 400), errors, errorCount: 1 };
  }
  if (error instanceof ApiRefusal) return toProblem(refusalBody(error));
  return isTold(error) ? toProblem(faultBody(error)) : undefined;
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
