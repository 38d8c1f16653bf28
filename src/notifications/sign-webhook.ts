import { createHmac } from 'node:crypto';
import type { Instant } from '../kernel';
import { SECOND_MS } from '../kernel';

/** Returns the signing secret of a recipient. It is derived, so the database holds none (ADR 39). Pure. */
export function secretOf(master: string, recipientId: string): Buffer {
  return createHmac('sha256', master).update(`notification-recipient:${recipientId}`).digest();
}

/** Returns a secret as receivers configure it: the form of Standard Webhooks. Pure. */
export function shownSecret(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`;
}

/** What a signature covers. */
export interface SignedMessage {
  readonly id: string;
  readonly at: Instant;
  readonly body: string;
}

/** Returns the headers of Standard Webhooks, with a signature of each secret. Pure. */
export function signedHeaders({ id, at, body }: SignedMessage, secrets: readonly Buffer[]): Record<string, string> {
  const timestamp = String(Math.floor(at / SECOND_MS));
  const signatures = secrets.map((secret) => {
    const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
    return `v1,${signature}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
