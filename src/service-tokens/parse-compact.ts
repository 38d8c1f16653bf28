import { decodeCanonicalBase64url } from './base64url';
import { decodeJsonObject } from './json-object';
import { TOKEN_BYTES_MAX } from './limits';
import { type Refusal, refused } from './refusal';

/** A well-formed compact JWS. Nothing in it is proven yet. */
export interface ParsedCompact {
  readonly ok: true;
  readonly token: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Uint8Array;
}

// Each changes what is signed or how (RFC 7515 section 4.1.11, RFC 7797), and Millime supports no extension. `jku`,
// `x5u`, `jwk` and `x5c` are ignored: keys come only from the issuer's own set.
const UNSUPPORTED_PARAMETERS = ['crit', 'b64'] as const;

/** Checks the form of a compact JWS before jose reads it, because jose is too lenient. */
export function parseCompact(token: string): ParsedCompact | Refusal {
  if (token.length > TOKEN_BYTES_MAX) return refused('too_long');
  const segments = token.split('.');
  if (segments.length !== 3) return refused('not_compact');
  const [headerBytes, payload, signature] = segments.map(decodeCanonicalBase64url);
  if (headerBytes === undefined || payload === undefined || signature === undefined) return refused('not_canonical');
  const header = decodeJsonObject(headerBytes);
  if (header === undefined) return refused('bad_header');
  if (UNSUPPORTED_PARAMETERS.some((name) => Object.hasOwn(header, name))) return refused('unsupported_header');
  return { ok: true, token, header, payload };
}
