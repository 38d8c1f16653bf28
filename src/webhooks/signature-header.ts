import { SIGNATURE_HEADER, type WebhookHeaders } from '../gateway';

/** The first signature header; empty when there is none. Pure. */
export function signatureHeader(headers: WebhookHeaders): string {
  const wanted = SIGNATURE_HEADER.toLowerCase();
  const [value = ''] = Object.entries(headers)
    .filter(([name]) => name.toLowerCase() === wanted)
    .flatMap(([, given]) => given ?? []);
  return value;
}

/** The `t` of a signature header, in seconds; 0 when it has none that can be read. Pure. */
export function timestampSecsOf(header: string): number {
  return Number(/(?:^|,) *t=(\d+)/.exec(header)?.[1] ?? 0);
}
