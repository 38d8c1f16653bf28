import { signWebhook, SIGNATURE_HEADER } from '../gateway';
import { AppError, type Instant } from '../kernel';
import { OTHER_CONTENT_TEXT, REASON_TEXT } from './diagnosis-text';
import { otherContents } from './other-contents';
import { parsePastedRequest, type PastedRequest } from './pasted-request';
import { readWebhook, type Reading } from './read-webhook';
import type { Diagnosis } from './webhooks';

const SECOND_MS = 1_000;
const CORRECTLY_SIGNED = ['bad_payment_id', 'bad_success', 'bad_body', 'wrong_family'];

export interface DiagnoseTerms {
  /** The accepted private keys, current first. */
  readonly keys: readonly string[];
  /** A key to try instead of them. */
  readonly secret: string | undefined;
  /** When the request came. */
  readonly now: Instant;
  readonly timeZone: string;
}

/**
 * Says what is wrong with a pasted request, in one word and one sentence. Shows neither a key nor a signature that would
 * be right. Pure.
 *
 * @throws AppError `bad_input` when it is no request, `misconfigured` when there is no key to try.
 */
export function diagnose(pasted: Uint8Array, { keys: accepted, secret, now, timeZone }: DiagnoseTerms): Diagnosis {
  const keys = (secret === undefined ? accepted : [secret]).filter((key) => key.trim() !== '');
  if (keys.length === 0)
    throw new AppError('misconfigured', 'GATEWAY_PRIVATE_KEY: not set, and no key was given to try');
  const request = parsePastedRequest(pasted);
  if (request === undefined) {
    throw new AppError(
      'bad_input',
      'the first line must be a request line or an address, such as "POST /webhooks/payment"',
    );
  }
  const reading = readWebhook(request, { keys, now, timeZone });
  if (reading.kind === 'rejected') {
    if (reading.reason === 'wrong_signature') return wrongSignature(request, keys, accepted);
    if (reading.reason === 'bad_timestamp') return badTimestamp(request);
    return rejected(reading.reason, REASON_TEXT[reading.reason], {
      signature: CORRECTLY_SIGNED.includes(reading.reason) ? 'correct' : 'not checked',
    });
  }
  const [current, ...previous] = keys;
  const isPrevious = previous.length > 0 && current !== undefined && !isSigned(request, current, { now, timeZone });
  return signed(reading, now, isPrevious);
}

function signed(reading: Exclude<Reading, { kind: 'rejected' }>, now: Instant, isPrevious: boolean): Diagnosis {
  const offBySecs = Math.round((now - reading.signedAt) / SECOND_MS);
  const details = {
    event: reading.facts.event,
    version: reading.facts.family,
    key: isPrevious ? 'the previous one' : 'the current one',
    offBySecs,
  };
  if (reading.kind === 'authentic') {
    const explanation = reading.facts.isKnown
      ? 'It is correctly signed and in time: it is accepted.'
      : 'It is correctly signed and in time; its event is not one that is known, so it is kept and not acted on.';
    return { verdict: 'authentic', cause: 'authentic', explanation, details };
  }
  const side = offBySecs > 0 ? 'before' : 'after';
  const explanation = `It is correctly signed, ${Math.abs(offBySecs)} s ${side} the time at which it is checked; 300 s are tolerated. Either a clock is wrong, or it was sent or pasted late.`;
  return { verdict: 'stale', cause: 'clock_skew', explanation, details };
}

function wrongSignature(request: PastedRequest, keys: readonly string[], accepted: readonly string[]): Diagnosis {
  const signature = signatureOf(request);
  const fits = (candidates: readonly string[], content: string | Uint8Array): boolean =>
    candidates.some((key) => signature.digests.includes(digestOf(key, signature.timestampSecs, content)));

  const other = otherContents(request).find(({ content }) => fits(keys, content));
  const text = other === undefined ? undefined : OTHER_CONTENT_TEXT[other.cause];
  if (other !== undefined && text !== undefined) return rejected(other.cause, text);

  const { bodyBytes, rawBody } = request;
  if (request.method === 'POST' && bodyBytes !== undefined && rawBody !== undefined && rawBody.length < bodyBytes) {
    const explanation =
      'The body is shorter than its Content-Length says: a part of it is missing, here or on the way.';
    return rejected('incomplete_body', explanation, { bodyBytes: rawBody.length, contentLength: bodyBytes });
  }
  const others = accepted.filter((key) => key.trim() !== '' && !keys.includes(key));
  if (request.method === 'POST' && fits(others, rawBody ?? new Uint8Array())) {
    return rejected('wrong_key', 'It is signed with the key that is configured, not with the one that was given.');
  }
  const explanation =
    'No key that was tried signed this, nor any other way of writing it that is known: most likely the gateway signs with another key (an older one, or another application), or the content was changed.';
  return rejected('wrong_key', explanation, { keysTried: keys.length });
}

function badTimestamp(request: PastedRequest): Diagnosis {
  const timestamp = /(?:^|,) *t=([^,]*)/.exec(signatureHeader(request))?.[1];
  if (timestamp !== undefined && /^\d{12,14}$/.test(timestamp)) {
    const explanation = 'The t of the signature header counts milliseconds; the interface has seconds.';
    return rejected('milliseconds', explanation, { digits: timestamp.length });
  }
  return rejected('bad_timestamp', REASON_TEXT.bad_timestamp);
}

function isSigned(request: PastedRequest, key: string, terms: Pick<DiagnoseTerms, 'now' | 'timeZone'>): boolean {
  return readWebhook(request, { ...terms, keys: [key] }).kind !== 'rejected';
}

function signatureOf(request: PastedRequest): { readonly timestampSecs: number; readonly digests: readonly string[] } {
  const header = signatureHeader(request);
  const timestampSecs = Number(/(?:^|,) *t=(\d+)/.exec(header)?.[1] ?? 0);
  const digests = [...header.matchAll(/(?:^|,) *v1=([0-9a-f]{64})/gi)].map(([, digest = '']) => digest.toLowerCase());
  return { timestampSecs, digests };
}

function signatureHeader({ headers }: PastedRequest): string {
  const value = headers[SIGNATURE_HEADER.toLowerCase()];
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}

function digestOf(key: string, timestampSecs: number, content: string | Uint8Array): string {
  return signWebhook({ key, timestampSecs, content }).slice(`t=${timestampSecs},v1=`.length);
}

function rejected(cause: string, explanation: string, details: Diagnosis['details'] = {}): Diagnosis {
  return { verdict: 'rejected', cause, explanation, details };
}
