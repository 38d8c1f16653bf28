import { TOKEN_BYTES_MAX } from './limits';
import { type Refusal, refused } from './refusal';

const SCHEME = 'Bearer ';

/** Returns the token of an Authorization header: the scheme in any case, one space, and nothing after the token. */
export function readBearer(header: string | undefined): { ok: true; token: string } | Refusal {
  if (header === undefined) return refused('no_header');
  if (header.slice(0, SCHEME.length).toLowerCase() !== SCHEME.toLowerCase()) return refused('not_bearer');
  if (header.length > SCHEME.length + TOKEN_BYTES_MAX) return refused('too_long');
  return { ok: true, token: header.slice(SCHEME.length) };
}
