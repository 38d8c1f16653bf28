/** Interface section 6.1. Names of headers are compared without regard to case. */
export const SIGNATURE_HEADER = 'X-Service-Signature';

/** Interface section 6.3. It is not signed, so that nothing is decided by it (open point 111). */
export const EVENT_HEADER = 'X-Service-Event';

/** Headers as Node gives them, `request.headers` or `request.headersDistinct`; names may be in any case. */
export type WebhookHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** All values of one header, whatever the case of its name: more than one when the sender wrote it more than once. */
export function headerValues(headers: WebhookHeaders, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  return Object.entries(headers)
    .filter(([given]) => given.toLowerCase() === wanted)
    .flatMap(([, value]) => value ?? []);
}
