import { assert, sha256Hex } from '../../kernel';
import { type ContentAnswer, hasTag, type Route, type RouteAnswer } from './route';

/** An encoded answer. */
export interface EncodedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const TAG_CHARACTERS = 22;

/** A page of Millime has its styles in itself, no scripts, and nothing to load. */
const HTML_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

type WholeText = Extract<ContentAnswer, { content: string }>;
type Streamed = Exclude<ContentAnswer, WholeText>;

/**
 * Encodes an answer. A single resource has an ETag: its version, or a digest of its body. A body that is written piece by
 * piece cannot be encoded, so only a read in the main thread may answer one.
 */
export function encodeAnswer(route: Route, answer: RouteAnswer | ContentAnswer): EncodedAnswer {
  assert(!isStreamed(answer), `${route.operationId} answers a whole body`);
  if ('content' in answer) {
    const { content } = answer;
    return { status: 200, body: content, headers: { ...tagged(route, content, undefined), ...contentHeaders(answer) } };
  }
  const { status, body, version, location } = answer;
  const text = JSON.stringify(body);
  const headers = {
    ...tagged(route, text, version),
    ...(location === undefined ? {} : { Location: `/api/v1${location}` }),
  };
  return { status, body: text, headers };
}

/** Returns whether an answer is written piece by piece. */
export function isStreamed(answer: RouteAnswer | ContentAnswer): answer is Streamed {
  return 'content' in answer && typeof answer.content !== 'string';
}

/** Returns the headers of an answer that is not JSON. */
export function contentHeaders({ media, fileName }: ContentAnswer): Readonly<Record<string, string>> {
  return {
    'Content-Type': media === 'application/octet-stream' ? media : `${media}; charset=utf-8`,
    ...(media === 'text/html' ? { 'Content-Security-Policy': HTML_POLICY } : {}),
    ...(fileName === undefined ? {} : { 'Content-Disposition': disposition(fileName) }),
  };
}

/** Writes a name as RFC 6266 asks for: an ASCII form, and the whole name in UTF-8. */
function disposition(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w.-]/g, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(/['()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Returns the ETag of a content that has no version: a part of its digest. */
export function entityTag(content: string | Buffer): string {
  return `"${sha256Hex(content).slice(0, TAG_CHARACTERS)}"`;
}

/** Returns whether `If-None-Match` names a tag. The comparison is weak (RFC 9110, 13.1.2). */
export function isKnownTag(tag: string, ifNoneMatch: string | undefined): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((each) => each.trim());
  return known.some((each) => each === '*' || each.replace(/^W\//, '') === tag);
}

function tagged(route: Route, text: string, version: number | undefined): Readonly<Record<string, string>> {
  if (version !== undefined) return { ETag: `"${version}"` };
  return hasTag(route) ? { ETag: entityTag(text) } : {};
}
