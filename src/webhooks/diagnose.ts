import { AppError, type Instant, SECOND_MS } from '../kernel';
import { diagnoseSignature } from './diagnose-signature';
import { REASON_TEXT, rejectedDiagnosis } from './diagnosis-text';
import { expectedPathFor } from './expected-path';
import { parsePastedRequest, type PastedRequest } from './pasted-request';
import { type Reading, readWebhook } from './read-webhook';
import { signatureHeader } from './signature-header';
import type { Diagnosis } from './webhooks';

type VerifiedReading = Exclude<Reading, { kind: 'rejected' }>;

const CORRECTLY_SIGNED = ['bad_payment_id', 'bad_success', 'bad_body', 'wrong_family'];

export interface DiagnoseTerms {
  /** The accepted private keys, current first. */
  readonly keys: readonly string[];
  /** A key to try in place of the accepted ones. */
  readonly secret: string | undefined;
  /** Verifies no webhook, but some senders sign with it by mistake. */
  readonly publicKey?: string | undefined;
  /** When the request arrived. */
  readonly now: Instant;
  readonly timeZone: string;
}

/**
 * Explains the fault of a pasted request, in one word and a few sentences. Reveals neither a key nor a valid signature.
 * Pure.
 *
 * @throws AppError `bad_input` when it is not a request, `gateway_off` when no key can be tried.
 */
export function diagnose(pasted: Uint8Array, terms: DiagnoseTerms): Diagnosis {
  const { keys: accepted, secret, publicKey, now, timeZone } = terms;
  const keys = (secret === undefined ? accepted : [secret]).filter((key) => key.trim() !== '');
  if (keys.length === 0) {
    throw new AppError('gateway_off', {
      variables: 'GATEWAY_PRIVATE_KEY',
      fault: 'not set',
      fix: 'set it, or name a key to try',
    });
  }
  const request = parsePastedRequest(pasted);
  if (request === undefined) {
    throw new AppError('bad_input', {
      field: 'request',
      expected: 'a request line or an address in the first line, such as "POST /webhooks/payment"',
    });
  }
  const rightPath = expectedPathFor(request);
  if (rightPath !== undefined) return wrongPath(rightPath);
  const reading = readWebhook(request, { keys, now, timeZone });
  if (reading.kind === 'rejected') {
    if (reading.reason === 'wrong_signature') return diagnoseSignature(request, { keys, accepted, publicKey });
    if (reading.reason === 'bad_timestamp') return badTimestamp(request);
    if (reading.unreadable !== undefined) return withoutEventId(reading.unreadable);
    return rejectedDiagnosis(reading.reason, REASON_TEXT[reading.reason], {
      signature: CORRECTLY_SIGNED.includes(reading.reason) ? 'correct' : 'not checked',
    });
  }
  const [current, ...previous] = keys;
  const isPrevious = previous.length > 0 && current !== undefined && !isSigned(request, current, { now, timeZone });
  return signed(reading, now, isPrevious);
}

function signed({ kind, webhook, signedAt }: VerifiedReading, now: Instant, isPrevious: boolean): Diagnosis {
  const { event, family, facts } = webhook;
  const offBySecs = Math.round((now - signedAt) / SECOND_MS);
  const fields = facts.unreadable.join(', ');
  const details = {
    event,
    version: family,
    key: isPrevious ? 'the previous one' : 'the current one',
    offBySecs,
    ...(fields === '' ? {} : { fields }),
  };
  if (kind === 'authentic' && fields !== '') {
    const explanation = `It is correctly signed and in time, but these fields are missing or unreadable: ${fields}. It is stored, only its ids are used, and a status check of its payment or subscription follows.`;
    return { verdict: 'authentic', cause: 'unreadable_field', explanation, details };
  }
  if (kind === 'authentic') {
    const explanation = facts.isKnown
      ? 'It is correctly signed and in time: it is accepted.'
      : 'It is correctly signed and in time, but its event is unknown: it is stored and not acted on.';
    return { verdict: 'authentic', cause: 'authentic', explanation, details };
  }
  const side = offBySecs > 0 ? 'before' : 'after';
  const explanation = `It is correctly signed, ${Math.abs(offBySecs)} s ${side} the time at which it is checked; 300 s are tolerated. Either a clock is wrong, or it was sent or pasted late.`;
  return { verdict: 'stale', cause: 'clock_skew', explanation, details };
}

function wrongPath(rightPath: string): Diagnosis {
  const explanation = `Signed webhooks are not accepted at this path: it must be exactly ${rightPath} when the request reaches the server.`;
  return rejectedDiagnosis('wrong_path', explanation, { rightPath });
}

function withoutEventId(unreadable: readonly string[]): Diagnosis {
  const fields = unreadable.join(', ');
  const explanation = `It is correctly signed, but these fields are missing or unreadable: ${fields}. Without an event_id it cannot be told from others, so it is not stored.`;
  return rejectedDiagnosis('bad_body', explanation, { signature: 'correct', fields });
}

function badTimestamp(request: PastedRequest): Diagnosis {
  const timestamp = /(?:^|,) *t=([^,]*)/.exec(signatureHeader(request.headers))?.[1];
  if (timestamp !== undefined && /^\d{12,14}$/.test(timestamp)) {
    const explanation = 'The t of the signature header counts milliseconds; the interface has seconds.';
    return rejectedDiagnosis('milliseconds', explanation, { digits: timestamp.length });
  }
  return rejectedDiagnosis('bad_timestamp', REASON_TEXT.bad_timestamp);
}

function isSigned(request: PastedRequest, key: string, terms: Pick<DiagnoseTerms, 'now' | 'timeZone'>): boolean {
  return readWebhook(request, { ...terms, keys: [key] }).kind !== 'rejected';
}
