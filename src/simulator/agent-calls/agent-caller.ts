import { AppError, type Millimes } from '../../kernel';
import {
  type CheckBody,
  codeInBytes,
  type ConfirmBody,
  type ReadBody,
  readCheckBody,
  readConfirmBody,
} from './agent-answer';
import { type Exchange, sendRequest, type WireFault } from './send-request';

/** The token fault of a call: no token, a token with an altered signature, or the given expired token. */
export type TokenFault = 'no_token' | 'bad_token' | { readonly expiredToken: string };

/** A check has no body, so it cannot be cut or slow. */
export type CheckFault = TokenFault | 'lose_reply' | 'leave_early';
export type ConfirmFault = TokenFault | WireFault;

/**
 * The result of a call. `unheardCode` is the code of an answer that the simulator discarded on purpose. The gateway
 * does not know it; only the search for violations uses it.
 */
export type CallResult<Body> =
  | { readonly kind: 'answered'; readonly status: 200; readonly body: Body }
  | { readonly kind: 'refused'; readonly status: 403 }
  | { readonly kind: 'failed'; readonly status: number; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'unexpected'; readonly status: number; readonly reason: string }
  | { readonly kind: 'lost'; readonly unheardCode: string | undefined }
  | { readonly kind: 'not_connected'; readonly reason: string }
  | { readonly kind: 'timed_out' };

export type CheckResult = CallResult<CheckBody>;
export type ConfirmResult = CallResult<ConfirmBody>;

export interface AgentConfirm {
  readonly transactionId: string;
  readonly agentId: string;
  readonly amountMillimes: Millimes;
}

/** The gateway's side of interface section 4.6. */
export interface AgentCaller {
  check(agentId: string, fault?: CheckFault): Promise<CheckResult>;
  confirm(confirm: AgentConfirm, fault?: ConfirmFault): Promise<ConfirmResult>;
  /** Sends this body unchanged, even one that a gateway should never send. */
  confirmWith(body: Readonly<Record<string, unknown>>, fault?: ConfirmFault): Promise<ConfirmResult>;
}

export interface AgentCallerOptions {
  /** `partner_base_url` of the interface; it may have a path. */
  readonly baseUrl: string;
  /** A function is called before each call, for tokens that are renewed. */
  readonly token: string | (() => string);
  /** The time of one whole call, up to the last byte of its answer. */
  readonly timeoutMs: number;
  /** Aborts every running call. A call that was already sent is `lost`. */
  readonly signal?: AbortSignal;
}

/**
 * Creates a caller of an integrator's agent endpoints. It calls as the gateway does and can inject faults. It reads
 * answers strictly: everything outside section 4.6 is `unexpected`, with a reason in words. 5xx and 429 are `failed`,
 * whatever their body.
 *
 * @throws AppError `bad_input` (also from its calls) when the address, the token or an agentId cannot be sent at all.
 */
export function createAgentCaller({ baseUrl, token, timeoutMs, signal }: AgentCallerOptions): AgentCaller {
  const target = parseBaseUrl(baseUrl);
  const prefix = target.pathname.replace(/(?<!\/)\/+$/, '');
  const freshToken = (): string => sendableToken(typeof token === 'string' ? token : token());
  const call = (path: string, fault: ConfirmFault | undefined, body?: Buffer): Promise<Exchange> =>
    sendRequest({
      target,
      method: body === undefined ? 'GET' : 'POST',
      path: `${prefix}${path}`,
      headers: {
        ...authorization(freshToken(), fault),
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(body.length) }),
      },
      ...(body === undefined ? {} : { body }),
      fault: isTokenFault(fault) ? undefined : fault,
      timeoutMs,
      signal,
    });
  const confirmWith: AgentCaller['confirmWith'] = async (body, fault) =>
    resultOf(await call('/service/confirm', fault, Buffer.from(JSON.stringify(body), 'utf8')), readConfirmBody);
  return {
    check: async (agentId, fault) =>
      resultOf(await call(`/service/check/${encodeAgentId(agentId)}`, fault), readCheckBody),
    confirm: ({ transactionId, agentId, amountMillimes }, fault) =>
      confirmWith({ transactionId, agentId, amount: amountMillimes }, fault),
    confirmWith,
  };
}

export function isTokenFault(fault: ConfirmFault | undefined): fault is TokenFault {
  return typeof fault === 'object' || fault === 'no_token' || fault === 'bad_token';
}

function resultOf<Body>(exchange: Exchange, read: (bytes: Uint8Array) => ReadBody<Body>): CallResult<Body> {
  if (exchange.kind === 'lost') return { kind: 'lost', unheardCode: codeInBytes(exchange.unheard) };
  if (exchange.kind === 'not_connected' || exchange.kind === 'timed_out') return exchange;
  const { status } = exchange;
  const retryAfterMs = exchange.kind === 'whole' ? readRetryAfter(exchange.headers['retry-after']) : undefined;
  if (status >= 500 || status === 429) return { kind: 'failed', status, retryAfterMs };
  if (status === 403) return { kind: 'refused', status };
  if (status !== 200) return { kind: 'unexpected', status, reason: `the status is ${status}, not 200 or 403` };
  if (exchange.kind === 'too_large') {
    return { kind: 'unexpected', status, reason: `the body is larger than ${exchange.bytesMax} bytes` };
  }
  const decoded = read(exchange.bytes);
  if (!decoded.ok) return { kind: 'unexpected', status, reason: decoded.reason };
  return { kind: 'answered', status, body: decoded.body };
}

/** Reads only the form in seconds; the form with a date would need the other side's clock. */
function readRetryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}

function authorization(token: string, fault: ConfirmFault | undefined): Readonly<Record<string, string>> {
  if (fault === 'no_token') return {};
  if (fault === 'bad_token') return { authorization: `Bearer ${withAlteredSignature(token)}` };
  if (typeof fault === 'object') return { authorization: `Bearer ${sendableToken(fault.expiredToken)}` };
  return { authorization: `Bearer ${token}` };
}

/** Changes the first character of the signature, because decoders may ignore bits of its last one. */
function withAlteredSignature(token: string): string {
  const at = token.lastIndexOf('.') + 1;
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}

function sendableToken(token: string): string {
  const trimmed = token.trim();
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    throw new AppError('bad_input', { field: 'token', expected: 'visible ASCII characters' });
  }
  return trimmed;
}

function encodeAgentId(agentId: string): string {
  if (!agentId.isWellFormed()) throw new AppError('bad_input', { field: 'agentId', expected: 'valid Unicode' });
  return encodeURIComponent(agentId);
}

function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new AppError('bad_input', { field: 'baseUrl', expected: 'an address that starts with http:// or https://' });
  }
  return url;
}
