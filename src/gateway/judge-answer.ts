import { type BusinessCalendar, isJsonObject, MINUTE_MS } from '../kernel';
import { ReadBody } from './codec/read-body';
import { ShapeFault } from './codec/shape-fault';
import { GatewayError, type GatewayErrorCode, isGatewayError } from './gateway-error';
import type { Operation } from './operation';
import { codeOfStatus, type RecognizedError, recognizeError } from './recognize-error';
import { type Certainty, refusalCertaintyOf } from './refusal-certainty';
import { shownText } from './shown-text';
import type { WireAnswer } from './transport/wire';

const RATE_LIMIT_DEFAULT_MS = MINUTE_MS;
const TOO_MANY = 429;
// Far above any error of the interface. Errors are stored and logged, so the gateway must not be able to make them
// large.
const CODE_CHARACTERS_MAX = 100;
const TEXT_CHARACTERS_MAX = 200;
const FIELDS_MAX = 50;
const REASONS_MAX = 10;

const WIRE_FAULTS = {
  not_sent: ['connection', 'no connection to the gateway, so nothing was sent'],
  cut: ['connection', 'the connection was cut before the answer was whole'],
  timeout: ['timeout', 'no whole answer within the deadline'],
  too_large: ['unexpected_shape', 'the answer is too large'],
} as const;

export type Judged<Result> = { readonly ok: true; readonly result: Result } | Failed;

interface Failed {
  readonly ok: false;
  readonly error: GatewayError;
  /** Whether a retry may succeed soon and the gateway did not forbid it. */
  readonly isPassing: boolean;
}

interface Judge {
  readonly calendar: BusinessCalendar;
  /** Removes secrets from a text of the gateway. */
  readonly hide: (text: string) => string;
}

type Answered = Extract<WireAnswer, { kind: 'answered' }>;

/** Decides what an answer means for its operation: the result, or the error for the caller. */
export function judgeAnswer<Input, Result>(
  operation: Operation<Input, Result>,
  input: Input,
  answer: WireAnswer,
  { calendar, hide }: Judge,
): Judged<Result> {
  const { name } = operation;
  if (answer.kind === 'failed') {
    const [code, what] = WIRE_FAULTS[answer.fault];
    const text = answer.reason === undefined ? what : `${what}: ${answer.reason}`;
    const error = new GatewayError(code, text, { operation: name, httpStatus: answer.status });
    return failed(operation, error, { certainty: answer.fault === 'not_sent' ? 'sure' : 'open' });
  }
  const recognized = recognizeError(answer.body, answer.status);
  if (recognized !== undefined) {
    // An error body of unknown shape reveals no more than its status.
    const isUnknown = recognized.code === 'unexpected_shape' && codeOfStatus(answer.status) !== undefined;
    if (isUnknown) return failedByStatus(operation, answer);
    const error = errorOf(recognized, answer, operation, hide);
    const result = operation.decodeRefusal?.(error, answer.body);
    return result === undefined ? failed(operation, error, recognized) : { ok: true, result };
  }
  if (answer.status < 200 || answer.status > 299) return failedByStatus(operation, answer);
  try {
    return { ok: true, result: operation.decode(new ReadBody(answer.body, 'the answer', calendar), input) };
  } catch (error) {
    if (!(error instanceof ShapeFault)) throw error;
    const details = { operation: name, httpStatus: answer.status };
    return failed(operation, new GatewayError('unexpected_shape', error.message, details), { certainty: 'open' });
  }
}

function failedByStatus(operation: Operation<never, unknown>, answer: Answered): Failed {
  const certainty = refusalCertaintyOf({ kind: 'status_alone' }, answer.status);
  return failed(operation, statusError(answer, operation), { certainty });
}

/**
 * Returns the failure for the operation's safety class. A request of class C or D that may have had its effect has an
 * unknown outcome. So does a request of class B whose refusal is uncertain. For class C a wrong guess costs nothing, so
 * a likely refusal keeps its own code, which is more useful.
 */
function failed(
  { name, safety }: Operation<never, unknown>,
  error: GatewayError,
  { certainty, isOwnWord = false }: { readonly certainty: Certainty; readonly isOwnWord?: boolean },
): Failed {
  // The gateway's own code for "unavailable" means minutes, so an immediate retry is useless (open point 61).
  const isPassing =
    isGatewayError(error, 'connection', 'unavailable') && !isOwnWord && error.retryAfterMs === undefined;
  const isPlain =
    safety === 'A' ||
    // For class B, repeating the call reveals the outcome. A status that only reports a timeout is not a refusal.
    (safety === 'B' && (certainty !== 'open' || error.code !== 'refused')) ||
    certainty === 'sure' ||
    (safety === 'C' && certainty === 'likely');
  if (isPlain) return { ok: false, error, isPassing };
  const { httpStatus, gatewayCode, retryAfterMs } = error;
  const text = 'the request may have had its effect; ask for its state, do not send it again';
  const details = { operation: name, httpStatus, gatewayCode, retryAfterMs, cause: error };
  return { ok: false, error: new GatewayError('outcome_unknown', text, details), isPassing };
}

function errorOf(
  { code, message, gatewayCode, fields }: RecognizedError,
  answer: Answered,
  { name, rateLimitMs }: Operation<never, unknown>,
  hide: (text: string) => string,
): GatewayError {
  // Secrets are hidden before the text is shortened, because half a secret is still a secret.
  const shown = (text: string, max = TEXT_CHARACTERS_MAX): string => shownText(hide(text), max);
  return new GatewayError(code, shown(message === '' ? 'the gateway refused without a word' : message), {
    operation: name,
    httpStatus: answer.status,
    gatewayCode: gatewayCode === undefined ? undefined : shown(gatewayCode, CODE_CHARACTERS_MAX),
    fields: fields === undefined ? undefined : shownFields(fields, shown),
    retryAfterMs: waitOf(code, answer, rateLimitMs),
  });
}

function shownFields(
  fields: Readonly<Record<string, readonly string[]>>,
  shown: (text: string, max?: number) => string,
): Readonly<Record<string, readonly string[]>> {
  const entries = Object.entries(fields).slice(0, FIELDS_MAX);
  return Object.fromEntries(
    entries.map(([name, reasons]) => [
      shown(name, CODE_CHARACTERS_MAX),
      reasons.slice(0, REASONS_MAX).map((reason) => shown(reason)),
    ]),
  );
}

/** Creates the error for an answer outside the interface. A proxy may have written it, so only the status counts. */
function statusError(answer: Answered, { name, rateLimitMs }: Operation<never, unknown>): GatewayError {
  const { status, body } = answer;
  const code = codeOfStatus(status);
  const known = code === 'authentication' || code === 'permission' || code === 'rate_limited' || code === 'unavailable';
  const what = isJsonObject(body) ? 'an unknown body' : 'no JSON object';
  const retryAfterMs = waitOf(code, answer, rateLimitMs);
  const details = { operation: name, httpStatus: status, retryAfterMs };
  return new GatewayError(known ? code : 'unexpected_shape', `HTTP ${status} with ${what}`, details);
}

/**
 * Returns how long to wait (open point 60): the Retry-After header if present, otherwise the minute in which the
 * gateway counts calls.
 */
function waitOf(
  code: GatewayErrorCode | undefined,
  { status, retryAfterMs }: Answered,
  rateLimitMs = RATE_LIMIT_DEFAULT_MS,
): number | undefined {
  if (code === 'rate_limited') return retryAfterMs ?? rateLimitMs;
  return code === 'unavailable' || status === TOO_MANY ? retryAfterMs : undefined;
}
