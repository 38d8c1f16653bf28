import { expect } from '@jest/globals';
import type { RawAnswer } from '../../support/raw-connection';

export interface RawRequest {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  /** Whole lines, in the order in which they travel; a line may be anything. */
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** A request as it travels, with nothing in it that was not asked for. Characters are bytes. */
export function rawRequest({ method = 'GET', target = '/', version = '1.1', headers = [], body }: RawRequest): string {
  return [`${method} ${target} HTTP/${version}`, ...headers, '', body ?? ''].join('\r\n');
}

/** A whole good confirm of one millime. */
export function rawConfirm(bearer: string, transactionId: string): string {
  const body = JSON.stringify({ transactionId, agentId: '004711', amount: 1 });
  const headers = [
    'Host: x',
    `Authorization: ${bearer}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return rawRequest({ method: 'POST', target: '/service/confirm', headers, body });
}

/** On every answer, for a browser that is led to one. */
export const BROWSER_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** An answer is JSON of ours that nobody may keep, or an empty one of Node's (open point 132). */
export function expectJsonOrNothing({ text, headers }: RawAnswer): void {
  expect(headers).not.toHaveProperty('x-powered-by');
  expect(headers).toMatchObject(BROWSER_HEADERS);
  if (text === '') return;
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  expect(typeof JSON.parse(text)).toBe('object');
}
