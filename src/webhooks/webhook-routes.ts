import { type Request, type RequestHandler, type Response, Router } from 'express';
import { WEBHOOK_BODY_BYTES_MAX } from '../gateway';
import { methodNotAllowed, notFound, prove, rawBody, requireShortTarget, sendJson, sendProblem } from '../http';
import { assert } from '../kernel';
import { HINT_KINDS } from './receive-hint';
import type { ReceiveOutcome, Webhooks } from './webhooks';

// Regular expressions, because Express would decode a path parameter first and answer a bad one with an error.
const PAYMENT_PATH = /^\/payment$/;
const SUBSCRIPTION_PATH = /^\/subscription$/;
const HINT_PATH = /^\/hint\/[^/]+\/(?:pos|partner|payout)$/;

const readRawBody = rawBody(WEBHOOK_BODY_BYTES_MAX);

/** Correctly signed, but not as the interface defines. They get their own status, because repeating them is useless. */
const UNREADABLE = new Set(['bad_payment_id', 'bad_success', 'bad_body', 'wrong_family']);

export interface WebhookRouteDeps {
  readonly webhooks: Pick<Webhooks, 'receive' | 'isHintToken' | 'receiveHint'>;
}

/** Creates the routes of interface section 6, to be mounted at `/webhooks`. */
export function webhookRoutes({ webhooks }: WebhookRouteDeps): Router {
  const receive =
    (family: 'payment' | 'subscription') =>
    async (request: Request, response: Response): Promise<void> => {
      const outcome = await webhooks.receive({
        family,
        method: request.method,
        // In version 1 the signature covers the values exactly as they were sent.
        target: request.originalUrl,
        // All values of each name, because Node would use the first of two, or join them.
        headers: request.headersDistinct,
        rawBody: bytesOf(request),
      });
      answer(response, outcome);
    };

  /** Answers a wrong token as every unknown path, before the body of a stranger is read. */
  const requireHintToken: RequestHandler = (request, response, next) => {
    const [, , token = ''] = request.path.split('/');
    if (webhooks.isHintToken(token)) next();
    else notFound(request, response);
  };

  async function receiveHint(request: Request, response: Response): Promise<void> {
    const kind = HINT_KINDS.find((known) => request.path.endsWith(`/${known}`));
    assert(kind !== undefined, 'the path of this route names a kind');
    await webhooks.receiveHint(kind, bytesOf(request));
    sendJson(response, 200, { status: 'ok' });
  }

  const router = Router({ strict: true, caseSensitive: true });
  router.use((request, _response, next) => {
    requireShortTarget(request.originalUrl);
    next();
  });
  // Express would answer HEAD with the GET route, but the interface has no HEAD.
  router.head(PAYMENT_PATH, methodNotAllowed('GET, POST'));
  router.get(PAYMENT_PATH, receive('payment'));
  router.post(PAYMENT_PATH, readRawBody, receive('payment'));
  router.all(PAYMENT_PATH, methodNotAllowed('GET, POST'));
  router.post(SUBSCRIPTION_PATH, readRawBody, receive('subscription'));
  router.all(SUBSCRIPTION_PATH, methodNotAllowed('POST'));
  router.post(HINT_PATH, requireHintToken, readRawBody, receiveHint);
  router.all(HINT_PATH, methodNotAllowed('POST'));
  router.use(notFound);
  return router;
}

/** Sends the answer. It never sends a 5xx: faults of Millime are thrown (open point 113). */
function answer(response: Response, outcome: ReceiveOutcome): void {
  switch (outcome.kind) {
    case 'stored':
    case 'duplicate':
    case 'conflict':
      prove(response.req.socket);
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
