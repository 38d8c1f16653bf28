/** Interface section 6.1. Header names are case-insensitive. */
export const SIGNATURE_HEADER = 'X-Service-Signature';

/** Interface section 6.3. It is not signed, so no decision uses it (open point 111). */
export const EVENT_HEADER = 'X-Service-Event';

/** Headers as Node returns them, `request.headers` or `request.headersDistinct`; names are case-insensitive. */
export type WebhookHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns all values of one header, whatever the case of its name; several when the sender repeated the header. */
export function headerValues(headers: WebhookHeaders, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  return Object.entries(headers)
    .filter(([given]) => given.toLowerCase() === wanted)
    .flatMap(([, value]) => value ?? []);
}
