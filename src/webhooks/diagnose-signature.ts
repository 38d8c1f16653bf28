import { signWebhook } from '../gateway';
import { alternativeContents, ownContent } from './alternative-contents';
import { OTHER_CONTENT_TEXT, rejectedDiagnosis } from './diagnosis-text';
import { digestByExactly, mistakenKeys } from './mistaken-keys';
import type { PastedRequest } from './pasted-request';
import { signatureHeader, timestampSecsOf } from './signature-header';
import type { Diagnosis } from './webhooks';

export interface SigningKeys {
  /** The keys that were tried. */
  readonly keys: readonly string[];
  /** The configured keys. */
  readonly accepted: readonly string[];
  readonly publicKey: string | undefined;
}

/**
 * Explains why no accepted key fits a signature: other content was signed, a part of the body is missing, or another key
 * was used. Reveals no part of a key. Pure.
 */
export function diagnoseSignature(request: PastedRequest, { keys, accepted, publicKey }: SigningKeys): Diagnosis {
  const signature = signatureOf(request);
  const fits = (candidates: readonly string[], content: string | Uint8Array): boolean =>
    candidates.some((key) => signature.digests.includes(digestOf(key, signature.timestampSecs, content)));

  const other = alternativeContents(request).find(({ content }) => fits(keys, content));
  const text = other === undefined ? undefined : OTHER_CONTENT_TEXT[other.cause];
  if (other !== undefined && text !== undefined) return rejectedDiagnosis(other.cause, text);

  const { bodyBytes, rawBody } = request;
  if (request.method === 'POST' && bodyBytes !== undefined && rawBody !== undefined && rawBody.length < bodyBytes) {
    const explanation =
      'The body is shorter than its Content-Length says: a part of it is missing, in the paste or in transit.';
    return rejectedDiagnosis('incomplete_body', explanation, { bodyBytes: rawBody.length, contentLength: bodyBytes });
  }
  const content = ownContent(request);
  const others = accepted.filter((key) => key.trim() !== '' && !keys.includes(key));
  if (content !== undefined && fits(others, content)) {
    return rejectedDiagnosis(
      'wrong_key',
      'It is signed with the key that is configured, not with the one that you entered.',
    );
  }
  const mistaken = mistakenKeys(keys, publicKey).find(
    ({ key }) =>
      content !== undefined && signature.digests.includes(digestByExactly(key, signature.timestampSecs, content)),
  );
  if (mistaken !== undefined) {
    const explanation = `It is signed with ${mistaken.name}; the interface signs with the private key alone.`;
    return rejectedDiagnosis('wrong_key', explanation, { signedWith: mistaken.name });
  }
  const explanation =
    'None of the keys that were tried fits this content or another form of it. Most likely the gateway signs with another key (an older one, or that of another application), or the content was changed.';
  return rejectedDiagnosis('wrong_key', explanation, { keysTried: keys.length });
}

function signatureOf(request: PastedRequest): { readonly timestampSecs: number; readonly digests: readonly string[] } {
  const header = signatureHeader(request.headers);
  const timestampSecs = timestampSecsOf(header);
  const digests = [...header.matchAll(/(?:^|,) *v1=([0-9a-f]{64})/gi)].map(([, digest = '']) => digest.toLowerCase());
  return { timestampSecs, digests };
}

function digestOf(key: string, timestampSecs: number, content: string | Uint8Array): string {
  return signWebhook({ key, timestampSecs, content }).slice(`t=${timestampSecs},v1=`.length);
}
