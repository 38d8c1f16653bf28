import { decodeBody, type WebhookBody } from './body-fields';
import { type CheckedSignature, checkSignature } from './check-signature';
import type { TakenRequest } from './take-webhook-request';
import { headerValues } from './webhook-headers';
import { rejected, type WebhookRejection } from './webhook-rejection';

/** Bodies of section 6 have a few hundred bytes (open point 116). */
export const WEBHOOK_BODY_BYTES_MAX = 65_536;

export interface SignedBody extends CheckedSignature {
  readonly body: WebhookBody;
}

/** Checks the signature over the bytes of a body, and only then parses them as JSON. */
export function checkSignedBody(request: TakenRequest): SignedBody | WebhookRejection {
  const bytes = request.rawBody ?? new Uint8Array();
  if (bytes.byteLength > WEBHOOK_BODY_BYTES_MAX) return rejected('body_too_large');
  const encodings = headerValues(request.headers, 'Content-Encoding');
  if (encodings.some((encoding) => encoding.toLowerCase() !== 'identity')) return rejected('compressed_body');
  const signature = checkSignature(request, bytes);
  if (signature.kind === 'rejected') return signature;
  const body = decodeBody(bytes);
  return body === undefined ? rejected('bad_body') : { ...signature, body };
}
