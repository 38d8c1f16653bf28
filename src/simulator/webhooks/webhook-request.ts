import { EVENT_HEADER, paymentQueryContent, SIGNATURE_HEADER, signWebhook } from '../../gateway';
import { isJsonObject } from '../../kernel';
import type { WebhookFault } from './webhook-fault';
import type { WebhookMessage } from './webhook-message';

/** A key that no receiver has. */
const NOBODYS_KEY = 'a-key-that-nobody-has';
const UNKNOWN_EVENT = 'heard_of_later';

/** A webhook as it is sent over the wire. */
export interface OutgoingWebhook {
  readonly method: 'GET' | 'POST';
  readonly target: URL;
  /** The exact path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** The `t` of the signature; null without a signature. */
  readonly timestampSecs: number | null;
}

export interface WebhookKeys {
  readonly privateKey: string;
  readonly previousPrivateKey: string;
}

/** Builds and signs a webhook (interface sections 6.1 to 6.5), with the faults of its content. */
export function buildWebhookRequest(
  message: WebhookMessage,
  faults: readonly WebhookFault[],
  keys: WebhookKeys,
  nowSecs: number,
): OutgoingWebhook {
  const target = new URL(message.url);
  const ownPath = `${target.pathname}${target.search}`;
  const has = (kind: WebhookFault['kind']): boolean => faults.some((fault) => fault.kind === kind);
  const sign = (content: string): Signed => signContent(content, faults, keys, nowSecs);

  if (message.kind === 'payment_v1') {
    const words = has('lower_case_success') ? (['true', 'false'] as const) : (['True', 'False'] as const);
    const [said, opposite] = message.success ? words : ([words[1], words[0]] as const);
    const paymentId = encodeURIComponent(message.paymentId);
    const { headers, timestampSecs } = sign(paymentQueryContent({ paymentId, success: said }));
    const query = paymentQueryContent({ paymentId, success: has('tampered') ? opposite : said });
    // Open point 105: in an address with its own query, these two parameters come last.
    const path = `${ownPath}${target.search === '' ? '?' : '&'}${query}`;
    return { method: 'GET', target, path, headers, timestampSecs };
  }

  const json = { 'Content-Type': 'application/json' };
  if (message.kind === 'hint') {
    const body = Buffer.from(JSON.stringify(message.body));
    return { method: 'POST', target, path: ownPath, headers: json, body, timestampSecs: null };
  }
  const event = has('unknown_event') ? `${message.event.split('.')[0] ?? ''}.${UNKNOWN_EVENT}` : message.event;
  const text = JSON.stringify({ ...message.body, event });
  const { headers, timestampSecs } = sign(text);
  return {
    method: 'POST',
    target,
    path: ownPath,
    headers: { ...json, [EVENT_HEADER]: event, ...headers },
    body: Buffer.from(has('tampered') ? tamper(text) : text),
    timestampSecs,
  };
}

interface Signed {
  readonly headers: Readonly<Record<string, string>>;
  readonly timestampSecs: number | null;
}

function signContent(
  content: string,
  faults: readonly WebhookFault[],
  { privateKey, previousPrivateKey }: WebhookKeys,
  nowSecs: number,
): Signed {
  let key = privateKey;
  let timestampSecs = nowSecs;
  for (const fault of faults) {
    if (fault.kind === 'unsigned') return { headers: {}, timestampSecs: null };
    if (fault.kind === 'wrong_key') key = NOBODYS_KEY;
    if (fault.kind === 'previous_key') key = previousPrivateKey;
    if (fault.kind === 'old_timestamp') timestampSecs -= fault.secs;
    if (fault.kind === 'future_timestamp') timestampSecs += fault.secs;
  }
  return { headers: { [SIGNATURE_HEADER]: signWebhook({ key, timestampSecs, content }) }, timestampSecs };
}

/** Changes what an attacker would change: multiplies the amount by ten. */
function tamper(text: string): string {
  const body: unknown = JSON.parse(text);
  const amount = isJsonObject(body) ? body['amount'] : undefined;
  return JSON.stringify({ ...(isJsonObject(body) ? body : {}), amount: `${String(amount)}0` });
}
