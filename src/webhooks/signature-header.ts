import { SIGNATURE_HEADER, type WebhookHeaders } from '../gateway';

/** Returns the first signature header; empty when the request has none. Pure. */
export function signatureHeader(headers: WebhookHeaders): string {
  const wanted = SIGNATURE_HEADER.toLowerCase();
  const [value = ''] = Object.entries(headers)
    .filter(([name]) => name.toLowerCase() === wanted)
    .flatMap(([, given]) => given ?? []);
  return value;
}

/** Returns the `t` of a signature header, in seconds; 0 when it is missing or unreadable. Pure. */
export function timestampSecsOf(header: string): number {
  return Number(/(?:^|,) *t=(\d+)/.exec(header)?.[1] ?? 0);
}
