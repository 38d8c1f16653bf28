import { signatureHeader } from './signature-header';
import type { IncomingWebhook } from './webhooks';

/** The paths of signed webhooks. The server accepts no other case, encoding or slash. */
const PAYMENT_PATH = '/webhooks/payment';
const SUBSCRIPTION_PATH = '/webhooks/subscription';

const HINT_PATH = /^\/webhooks\/hint\//;
const ORIGIN = /^https?:\/\/[^/?#]*/i;
const SUBSCRIPTION_EVENT = /"event"\s*:\s*"subscription\./;

/** Returns the path to which a pasted request should have been sent; undefined if its path is right. Pure. */
export function expectedPathFor(request: IncomingWebhook): string | undefined {
  const path = request.target.replace(ORIGIN, '').split(/[?#]/)[0] ?? '';
  if (path === PAYMENT_PATH || path === SUBSCRIPTION_PATH) return undefined;
  // A hint has no signature, and its path has a secret part that must not be shown. A signed request on this path is
  // not a hint.
  if (HINT_PATH.test(path) && signatureHeader(request.headers) === '') return undefined;
  const isSubscription = isAboutSubscription(request) || /subscription/i.test(path);
  return request.method === 'POST' && isSubscription ? SUBSCRIPTION_PATH : PAYMENT_PATH;
}

function isAboutSubscription({ rawBody }: IncomingWebhook): boolean {
  return SUBSCRIPTION_EVENT.test(Buffer.from(rawBody ?? []).toString('utf8'));
}
