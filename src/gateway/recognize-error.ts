import { isJsonObject, ownValue } from '../kernel';
import { bearsSignOfError, saysSuccess } from './body-flags';
import type { GatewayErrorCode } from './gateway-error';
import { type Basis, type Certainty, refusalCertaintyOf } from './refusal-certainty';

/** The content of an error body, in one form for all six shapes. */
export interface RecognizedError {
  readonly code: GatewayErrorCode;
  readonly message: string;
  readonly gatewayCode?: string;
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  /** How sure it is that the request had no effect. */
  readonly certainty: Certainty;
  /** `true`: the gateway has its own word or number for this error; otherwise a proxy may have written it. */
  readonly isOwnWord: boolean;
}

/** What the body alone says, before the HTTP status is considered. */
type Said = Omit<RecognizedError, 'certainty' | 'isOwnWord'> & { readonly basis: Basis };
type Body = Readonly<Record<string, unknown>>;

const UNKNOWN_SHAPE: Said = {
  code: 'unexpected_shape',
  message: 'an error in an unknown shape',
  basis: { kind: 'unknown_shape' },
};

/** The error codes of interface section 7. */
const KNOWN_WORDS: ReadonlyMap<string, GatewayErrorCode> = new Map([
  ['REFUND_NOT_ALLOWED', 'refused'],
  ['CANCELLATION_FAILED', 'refused'],
  ['CONFIRMATION_FAILED', 'refused'],
  ['card_recurring_not_enabled', 'refused'],
  ['card_recurring_not_implemented', 'refused'],
  ['merchant_not_allowed', 'permission'],
  ['merchant_wallet_inactive', 'permission'],
  ['affiliation_inactive', 'permission'],
  ['recurring_payments_disabled', 'unavailable'],
  ['duplicate_developer_tracking_id', 'duplicate_tracking_id'],
  ['subscription_not_found', 'not_found'],
]);

const OK = 200;

/** 409 is missing: the interface uses it only for a taken tracking id, where the body has a code. */
const STATUS_CODES: ReadonlyMap<number, GatewayErrorCode> = new Map([
  [400, 'validation'],
  [422, 'validation'],
  [401, 'authentication'],
  [403, 'permission'],
  [404, 'not_found'],
  [429, 'rate_limited'],
]);

/**
 * Recognizes the error shapes of the interface (section 7; open points 48 to 52), in an order in which none hides
 * another. The body decides; the HTTP status decides only what the body leaves open. From status 500 on, only a known
 * code, or a number in the body itself (open point 79), counts as written by the gateway.
 *
 * @returns `undefined` when the body reports no error; `unexpected_shape` when it reports one without a known shape, or
 * when another flag reports success.
 */
export function recognizeError(body: unknown, httpStatus: number): RecognizedError | undefined {
  if (!isJsonObject(body)) return undefined;
  const said = shapeOf(body, httpStatus);
  if (said !== undefined) return weighed(saysSuccess(body) ? UNKNOWN_SHAPE : said, httpStatus);
  return bearsSignOfError(body) ? weighed(UNKNOWN_SHAPE, httpStatus) : undefined;
}

function shapeOf(body: Body, httpStatus: number): Said | undefined {
  const result = ownValue(body, 'result');
  return (
    platformRefusal(result, httpStatus) ??
    statusInResult(result) ??
    wordCode(body) ??
    numberCode(body, httpStatus) ??
    detail(body, httpStatus) ??
    fieldReasons(body, httpStatus)
  );
}

function weighed({ basis, ...said }: Said, httpStatus: number): RecognizedError {
  const certainty = refusalCertaintyOf(basis, httpStatus);
  const isOwnWord = basis.kind === 'known_word' || basis.kind === 'body_code';
  const isClear = basis.kind === 'known_word' || (isOwnWord && refusalCertaintyOf(basis, OK) === 'sure');
  if (httpStatus < 500 || isClear) return { ...said, certainty, isOwnWord };
  const gatewayCode = said.gatewayCode === undefined ? {} : { gatewayCode: said.gatewayCode };
  return { code: 'unavailable', message: said.message, ...gatewayCode, certainty, isOwnWord };
}

/** `{result: {error, details, success: false}, code: 1}` */
function platformRefusal(result: unknown, httpStatus: number): Said | undefined {
  const error = isJsonObject(result) ? ownValue(result, 'error') : undefined;
  if (typeof error !== 'string' || error === '') return undefined;
  const byStatus = codeOfStatus(httpStatus);
  const code = byStatus === undefined || byStatus === 'validation' ? 'refused' : byStatus;
  return { ...wordOr(code, error), message: error };
}

/**
 * Uses a word as the gateway's `code` for its refusal. For a word that the interface does not list, Millime uses
 * `code`.
 */
function wordOr(code: GatewayErrorCode, word: string): Omit<Said, 'message'> {
  const known = KNOWN_WORDS.get(word);
  return { code: known ?? code, gatewayCode: word, basis: { kind: known === undefined ? 'words' : 'known_word' } };
}

/** `{result: {status: 404, message}}`: a good answer has a word in place of this integer (open point 19). */
function statusInResult(result: unknown): Said | undefined {
  const status = isJsonObject(result) ? ownValue(result, 'status') : undefined;
  if (typeof status !== 'number' || !isJsonObject(result)) return undefined;
  const code = codeOfStatus(status) ?? 'unexpected_shape';
  return { code, message: messageOf(result), gatewayCode: String(status), basis: { kind: 'result_status', status } };
}

/** `{status: "error", message, code: "REFUND_NOT_ALLOWED"}` */
function wordCode(body: Body): Said | undefined {
  const code = ownValue(body, 'code');
  if (!isErrorWord(ownValue(body, 'status')) || typeof code !== 'string' || code === '') return undefined;
  return { ...wordOr('refused', code), message: messageOf(body) };
}

/** `{success: false, code: 403, message}`, and `{success: false, message: "subscription_not_found", code: 1}` */
function numberCode(body: Body, httpStatus: number): Said | undefined {
  const code = ownValue(body, 'code');
  const message = messageOf(body);
  if (ownValue(body, 'success') !== false || message === '') return undefined;
  if (message === 'subscription_not_found') return { ...wordOr('not_found', message), message };
  // Open point 79: the number in the body wins over the status. The envelope's own code 1 only reports a failure.
  const own = typeof code === 'number' && code >= 100 ? code : ownValue(body, 'status_code');
  const status = typeof own === 'number' ? own : httpStatus;
  const basis: Basis = typeof own === 'number' ? { kind: 'body_code', status: own } : { kind: 'words' };
  const gatewayCode = typeof code === 'number' || typeof code === 'string' ? { gatewayCode: String(code) } : {};
  return { code: codeOfStatus(status) ?? 'refused', message, ...gatewayCode, basis };
}

/** `{detail}` */
function detail(body: Body, httpStatus: number): Said | undefined {
  const text = ownValue(body, 'detail');
  if (typeof text !== 'string' || text === '') return undefined;
  const code = codeOfStatus(httpStatus);
  // With a success status the text may be a refusal or a remark.
  if (code === undefined) return { ...UNKNOWN_SHAPE, message: text };
  return { code, message: text, basis: { kind: 'words' } };
}

/**
 * `{<field>: [<reason>]}` without an envelope; also `{name: ["too long"]}`, although `name` is otherwise an envelope
 * field (open point 52).
 */
function fieldReasons(body: Body, httpStatus: number): Said | undefined {
  const all = Object.entries(body);
  const entries = all.filter(([, reasons]) => isReasons(reasons));
  if (entries.length === 0 || ENVELOPE_KEYS.some((key) => Object.hasOwn(body, key))) return undefined;
  // With a success status, a list of texts among other fields may be a new field of a good answer. One whose name is
  // not a field of the call may be a remark. Neither is surely a refusal.
  const isOfFieldsOnly = entries.length === all.length && !entries.some(([name]) => REMARKS.has(name));
  if (!isOfFieldsOnly && codeOfStatus(httpStatus) === undefined) return UNKNOWN_SHAPE;
  const fields = Object.fromEntries(entries) as Record<string, readonly string[]>;
  const byHttp = codeOfStatus(httpStatus);
  return {
    code: byHttp !== undefined && NOT_ABOUT_FIELDS.has(byHttp) ? byHttp : 'validation',
    message: `refused: ${Object.keys(fields).join(', ')}`,
    fields,
    basis: { kind: 'field_reasons' },
  };
}

/** Statuses that concern the caller, even if the body lists field reasons. */
const NOT_ABOUT_FIELDS: ReadonlySet<GatewayErrorCode> = new Set<GatewayErrorCode>([
  'authentication',
  'permission',
  'rate_limited',
]);
const ENVELOPE_KEYS = ['result', 'results', 'success', 'transactions'] as const;
/** Names under which servers put texts about the whole request; no operation has fields with these names. */
const REMARKS: ReadonlySet<string> = new Set(['message', 'detail', 'error', 'errors', 'warnings']);

function isReasons(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((reason) => typeof reason === 'string');
}

function isErrorWord(value: unknown): boolean {
  return typeof value === 'string' && ['error', 'failure', 'failed', 'fail'].includes(value.toLowerCase());
}

/** Returns the code for an error status; `undefined` for other statuses. */
export function codeOfStatus(status: number): GatewayErrorCode | undefined {
  if (!Number.isInteger(status) || status < 400 || status > 599) return undefined;
  return STATUS_CODES.get(status) ?? (status >= 500 ? 'unavailable' : 'refused');
}

function messageOf(object: Body): string {
  const message = ownValue(object, 'message');
  return typeof message === 'string' ? message : '';
}
