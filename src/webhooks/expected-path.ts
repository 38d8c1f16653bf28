import { signatureHeader } from './signature-header';
import type { IncomingWebhook } from './webhooks';

/** What the gateway calls with a signature, to the letter: the server takes no other case, encoding or slash for it. */
const PAYMENT_PATH = '/webhooks/payment';
const SUBSCRIPTION_PATH = '/webhooks/subscription';

const HINT_PATH = /^\/webhooks\/hint\//;
const ORIGIN = /^https?:\/\/[^/?#]*/i;
const SUBSCRIPTION_EVENT = /"event"\s*:\s*"subscription\./;

/** The path where a pasted request belongs, when it came to another one; undefined when its path is right. Pure. */
export function expectedPathFor(request: IncomingWebhook): string | undefined {
  const path = request.target.replace(ORIGIN, '').split(/[?#]/)[0] ?? '';
  if (path === PAYMENT_PATH || path === SUBSCRIPTION_PATH) return undefined;
  // A hint has no signature, and its path has a part that is not shown; what is signed there is no hint.
  if (HINT_PATH.test(path) && signatureHeader(request.headers) === '') return undefined;
  const isSubscription = isAboutSubscription(request) || /subscription/i.test(path);
  return request.method === 'POST' && isSubscription ? SUBSCRIPTION_PATH : PAYMENT_PATH;
}

function isAboutSubscription({ rawBody }: IncomingWebhook): boolean {
  return SUBSCRIPTION_EVENT.test(Buffer.from(rawBody ?? []).toString('utf8'));
}
