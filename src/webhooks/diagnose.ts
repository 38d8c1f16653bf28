import { AppError, type Instant } from '../kernel';
import { diagnoseSignature } from './diagnose-signature';
import { REASON_TEXT } from './diagnosis-text';
import { rejectedDiagnosis } from './rejected-diagnosis';
import { parsePastedRequest, type PastedRequest } from './pasted-request';
import { readWebhook, type Reading } from './read-webhook';
import { expectedPathFor } from './expected-path';
import { signatureHeader } from './signature-header';
import type { Diagnosis } from './webhooks';

const SECOND_MS = 1_000;
const CORRECTLY_SIGNED = ['bad_payment_id', 'bad_success', 'bad_body', 'wrong_family'];

export interface DiagnoseTerms {
  /** The accepted private keys, current first. */
  readonly keys: readonly string[];
  /** A key to try instead of them. */
  readonly secret: string | undefined;
  /** Nothing is accepted by it; some sign with it. */
  readonly publicKey?: string | undefined;
  /** When the request came. */
  readonly now: Instant;
  readonly timeZone: string;
}

/**
 * Says what is wrong with a pasted request, in one word and one sentence. Shows neither a key nor a signature that
 * would be right. Pure.
 *
 * @throws AppError `bad_input` when it is no request, `misconfigured` when there is no key to try.
 */
export function diagnose(pasted: Uint8Array, terms: DiagnoseTerms): Diagnosis {
  const { keys: accepted, secret, publicKey, now, timeZone } = terms;
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

function signed(reading: Exclude<Reading, { kind: 'rejected' }>, now: Instant, isPrevious: boolean): Diagnosis {
  const { unreadable } = reading.facts;
  const offBySecs = Math.round((now - reading.signedAt) / SECOND_MS);
  const details = {
    event: reading.facts.event,
    version: reading.facts.family,
    key: isPrevious ? 'the previous one' : 'the current one',
    offBySecs,
    ...(unreadable.length === 0 ? {} : { fields: unreadable.join(', ') }),
  };
  if (reading.kind === 'authentic' && unreadable.length > 0) {
    const explanation = `It is correctly signed and in time, but of its fields ${details.fields} cannot be read, or is missing: it is kept, nothing that it says is believed, and its payment or subscription is looked at.`;
    return { verdict: 'authentic', cause: 'unreadable_field', explanation, details };
  }
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

function wrongPath(rightPath: string): Diagnosis {
  const explanation = `The server has no such path for what is signed, and does not take it: the path must be ${rightPath}, to the letter, when it comes to the server.`;
  return rejectedDiagnosis('wrong_path', explanation, { rightPath });
}

function withoutEventId(unreadable: readonly string[]): Diagnosis {
  const fields = unreadable.join(', ');
  const explanation = `It is correctly signed, but of its fields ${fields} cannot be read, or is missing; without an event_id nothing tells it from others, so it is not kept.`;
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
