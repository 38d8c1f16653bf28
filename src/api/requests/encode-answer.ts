import { sha256Hex } from '../../kernel';
import type { EncodedAnswer } from '../idempotency/answer-once';
import type { Route, RouteAnswer } from '../route';

const TAG_CHARACTERS = 22;

/** Encodes an answer. A single resource has an ETag: its version, or a digest of its body. */
export function encodeAnswer(route: Route, { status, body, version, location }: RouteAnswer): EncodedAnswer {
  const text = JSON.stringify(body);
  const tag = version === undefined ? digestTag(route, text) : `"${version}"`;
  return {
    status,
    body: text,
    headers: {
      ...(tag === undefined ? {} : { ETag: tag }),
      ...(location === undefined ? {} : { Location: `/api/v1${location}` }),
    },
  };
}

function digestTag({ method, isList }: Route, text: string): string | undefined {
  return method === 'get' && !isList ? `"${sha256Hex(text).slice(0, TAG_CHARACTERS)}"` : undefined;
}
