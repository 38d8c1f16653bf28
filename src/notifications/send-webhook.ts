import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { formatInstant, type Instant, SECOND_MS } from '../kernel';
import type { Attempted, Delivery } from './delivery';
import { classifyFault } from './delivery-fault';
import { pageOfEvent } from './event-links';
import type { NotificationSettings } from './notification-deps';
import { isPublicAddress, lookUpPublic } from './public-address';
import type { Recipient } from './recipient';
import { secretOf, signedHeaders } from './sign-webhook';

const TIMEOUT_MS = 10 * SECOND_MS;

/** Returns the body of a webhook. Pure. */
export function webhookBody({ kind, content, createdAt }: Delivery, consoleUrl: string | undefined): string {
  const items = content.items.map((facts) => {
    const page = pageOfEvent(kind, facts, consoleUrl);
    return page === undefined ? facts : { ...facts, url: page };
  });
  return JSON.stringify({ type: kind, timestamp: formatInstant(createdAt), data: { count: content.count, items } });
}

/** Sends a signed webhook. Follows no redirect, and reads nothing of the answer but its status. Never rejects. */
export async function sendWebhook(
  delivery: Delivery,
  { id: recipientId, address }: Recipient,
  { secrets, consoleUrl, allowsPrivateAddresses }: NotificationSettings,
  now: Instant,
): Promise<Attempted> {
  if (secrets.length === 0) return { outcome: 'refused', error: 'not_configured' };
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // A number is not looked up, so it is checked here.
  if (!allowsPrivateAddresses && isIP(host) !== 0 && !isPublicAddress(host)) {
    return { outcome: 'refused', error: 'private_address' };
  }
  const body = webhookBody(delivery, consoleUrl);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'User-Agent': 'millime',
    ...signedHeaders(
      { id: delivery.id, at: now, body },
      secrets.map((secret) => secretOf(secret, recipientId)),
    ),
  };
  const options = {
    ...{ method: 'POST', headers, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) },
    ...(allowsPrivateAddresses ? {} : { lookup: lookUpPublic }),
  };
  try {
    return judgeStatus(await statusOf(url, options, body));
  } catch (error) {
    return { outcome: 'refused', error: classifyFault(error) };
  }
}

function judgeStatus(status: number): Attempted {
  if (status >= 200 && status < 300) return { outcome: 'sent' };
  const error = status >= 300 && status < 400 ? 'redirected' : 'bad_status';
  return { outcome: 'refused', error, answer: status };
}

/** Returns the status of the answer. The connection ends there, so that a body of any length costs nothing. */
function statusOf(url: URL, options: RequestOptions, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, options, (response) => {
      response.on('error', () => undefined);
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    request.on('error', reject);
    request.end(body);
  });
}
