import { Router, type Request, type Response } from 'express';
import { WEBHOOK_BODY_BYTES_MAX } from '../gateway';
import { limitTarget, methodNotAllowed, notFound, rawBody, sendJson, sendProblem } from '../http';
import { HINT_KINDS } from './receive-hint';
import type { ReceiveOutcome, Webhooks } from './webhooks';

// Regular expressions, because Express would decode a parameter before we see it, and answer a bad one with an error.
const PAYMENT_PATH = /^\/payment$/;
const SUBSCRIPTION_PATH = /^\/subscription$/;
const HINT_PATH = /^\/hint\/[^/]+\/(?:pos|partner|payout)$/;

const readRawBody = rawBody(WEBHOOK_BODY_BYTES_MAX);

/**
 * Correctly signed, but not what the interface says: told apart, because sending it again in the same way is useless.
 */
const UNREADABLE = new Set(['bad_payment_id', 'bad_success', 'bad_body', 'wrong_family']);

export interface WebhookRouteDeps {
  readonly webhooks: Pick<Webhooks, 'receive' | 'receiveHint'>;
}

/** What the gateway calls of interface section 6, to be mounted at `/webhooks`. */
export function webhookRoutes({ webhooks }: WebhookRouteDeps): Router {
  const receive =
    (family: 'payment' | 'subscription') =>
    async (request: Request, response: Response): Promise<void> => {
      const outcome = await webhooks.receive({
        family,
        method: request.method,
        // Of version 1 the signature covers the values exactly as they were sent.
        target: request.originalUrl,
        // All values of each name: Node would take the first of two, or join them.
        headers: request.headersDistinct,
        rawBody: bytesOf(request),
      });
      answer(response, outcome);
    };

  async function receiveHint(request: Request, response: Response): Promise<void> {
    const [, , token, name] = request.path.split('/');
    const kind = HINT_KINDS.find((known) => known === name);
    const isKept =
      token !== undefined && kind !== undefined && (await webhooks.receiveHint(token, kind, bytesOf(request)));
    if (isKept) sendJson(response, 200, { status: 'ok' });
    // Whoever guesses learns nothing: it is what every unknown path is answered with.
    else sendProblem(response, 404, 'not_found');
  }

  const router = Router({ strict: true, caseSensitive: true });
  router.use(limitTarget);
  // Express answers HEAD from a GET route; the interface has no HEAD.
  router.head(PAYMENT_PATH, methodNotAllowed('GET, POST'));
  router.get(PAYMENT_PATH, receive('payment'));
  router.post(PAYMENT_PATH, readRawBody, receive('payment'));
  router.all(PAYMENT_PATH, methodNotAllowed('GET, POST'));
  router.post(SUBSCRIPTION_PATH, readRawBody, receive('subscription'));
  router.all(SUBSCRIPTION_PATH, methodNotAllowed('POST'));
  router.post(HINT_PATH, readRawBody, receiveHint);
  router.all(HINT_PATH, methodNotAllowed('POST'));
  router.use(notFound);
  return router;
}

/** 5xx only for faults of ours (open point 113): those are thrown, and never come here. */
function answer(response: Response, outcome: ReceiveOutcome): void {
  switch (outcome.kind) {
    case 'stored':
    case 'duplicate':
    case 'conflict':
      return sendJson(response, 200, { status: 'ok' });
    case 'stale':
      return sendProblem(response, 401, 'unauthorized');
    case 'rejected':
      if (UNREADABLE.has(outcome.reason)) return sendProblem(response, 400, 'bad_request');
      return sendProblem(response, 401, 'unauthorized');
  }
}

function bytesOf(request: Request): Buffer | undefined {
  const body: unknown = request.body;
  return Buffer.isBuffer(body) ? body : undefined;
}
