import express, { type Request, type RequestHandler } from 'express';
import { parseStrictJson } from '../kernel';

/** No body of the interface nests deeper than two; this leaves room and keeps a body of brackets out. */
const DEPTH_MAX = 16;

export type JsonBody =
  | { readonly ok: true; readonly value: unknown; readonly raw: string }
  | { readonly ok: false; readonly status: 400 | 415; readonly error: string };

/** Collects the body's bytes up to `limitBytes`. A compressed body is refused with 415, a larger one with 413. */
export function rawBody(limitBytes: number): RequestHandler {
  return express.raw({ type: () => true, limit: limitBytes, inflate: false });
}

/** Reads a body that `rawBody` has collected. JSON only, UTF-8 only. */
export function readJsonBody(request: Request): JsonBody {
  if (!isJson(request.headers['content-type'])) return { ok: false, status: 415, error: 'unsupported_media_type' };
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return { ok: false, status: 400, error: 'empty_body' };
  let raw: string;
  try {
    raw = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ok: false, status: 400, error: 'not_utf8' };
  }
  const parsed = parseStrictJson(raw, { depthMax: DEPTH_MAX });
  return parsed.ok ? { ok: true, value: parsed.value, raw } : { ok: false, status: 400, error: parsed.fault };
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(contentType ?? '');
}
