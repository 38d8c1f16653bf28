import type { IncomingMessage } from 'node:http';
import { parseStrictJson, type StrictJsonOptions } from '../kernel';

/** Bodies of the interface nest at most two levels. This limit leaves room and refuses a body of brackets. */
const DEPTH_MAX = 16;

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export type JsonBody =
  | { readonly ok: true; readonly value: unknown; readonly raw: string }
  | { readonly ok: false; readonly status: 400 | 415; readonly error: string };

/** Decodes the collected body of a request. Accepts only JSON in UTF-8, and refuses repeated keys on request. */
export function decodeJsonBody(
  request: IncomingMessage,
  bytes: Buffer | undefined,
  options: Pick<StrictJsonOptions, 'refuseDuplicateKeys'> = {},
): JsonBody {
  // All values are checked, because Node would use the first of two.
  if (!isJson(request.headersDistinct['content-type']?.join(', '))) {
    return { ok: false, status: 415, error: 'unsupported_media_type' };
  }
  if (bytes === undefined || bytes.length === 0) return { ok: false, status: 400, error: 'empty_body' };
  let raw: string;
  try {
    raw = UTF_8.decode(bytes);
  } catch {
    return { ok: false, status: 400, error: 'not_utf8' };
  }
  const parsed = parseStrictJson(raw, { ...options, depthMax: DEPTH_MAX });
  return parsed.ok ? { ok: true, value: parsed.value, raw } : { ok: false, status: 400, error: parsed.fault };
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(contentType ?? '');
}
