import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import {
  guard,
  type GuardDeps,
  limitTarget,
  methodNotAllowed,
  notFound,
  rawBody,
  readJsonBody,
  sendJson,
  sendProblem,
} from '../http';
import { type Clock, isAppError, newId } from '../kernel';
import type { AgentSettlement } from './agent-settlement';
import { type Caller, decodeConfirm, transactionIdFault, usableTransactionId } from './confirm-command';
import type { ConfirmOutcome } from './decide';
import { type Guess, guessLimit } from './guess-limit';

/** The result codes of Confirm Payment (interface section 4.6). They are strings. */
const CONFIRM_CODE = {
  stored: '0',
  unknown_agent: '1',
  invalid_amount: '2',
  duplicate_transaction: '3',
} as const satisfies Record<Exclude<ConfirmOutcome, 'limited'>, string>;

const BODY_BYTES_MAX = 16 * 1024;
const readRawBody = rawBody(BODY_BYTES_MAX);

// Regular expressions, because Express would decode a parameter first and answer an error for an invalid one.
const CHECK_PATH = /^\/check\/[^/]+$/;
const CONFIRM_PATH = /^\/confirm$/;

export interface AgentSettlementRouteDeps extends GuardDeps<Caller> {
  readonly settlement: AgentSettlement;
  readonly clock: Clock;
}

/** Creates `GET /check/:agentId` and `POST /confirm`, to be mounted at `/service`. */
export function agentSettlementRoutes(deps: AgentSettlementRouteDeps): Router {
  const { settlement, clock, logger } = deps;
  const { handler: requireToken, callerOf } = guard(deps);
  const guess = guessLimit(deps);

  async function check(request: Request, response: Response): Promise<void> {
    const outcome = await settlement.check(agentIdOf(request));
    // Checks of existing agents have no limit, so a payer gets an answer however much another caller guesses.
    if (outcome.kind === 'unknown') return sendUnknown(response, guess(callerOf(response).subject));
    sendJson(response, 200, { code: '0', desc: outcome.fullName, amount: String(outcome.due) });
  }

  async function confirm(request: Request, response: Response): Promise<void> {
    const body = readJsonBody(request);
    if (!body.ok) {
      logger.warn('confirm could not be read', { event: 'agent_settlement.unreadable', reason: body.error });
      return sendProblem(response, body.status, body.error);
    }
    const caller = callerOf(response);
    const command = decodeConfirm(body.value, {
      attemptId: newId(),
      rawBody: body.raw,
      receivedAt: clock.now(),
      caller,
    });
    if (command === undefined) return sendProblem(response, 400, 'not_an_object');
    let refusal: Guess | undefined;
    // Counted once, because the transaction may run again.
    const outcome = await settlement.confirm(command, () => (refusal ??= guess(caller.subject)).isAnswered);
    if (outcome === 'limited') return sendTooMany(response, refusal);
    const fault = transactionIdFault(command);
    logger.info(fault === undefined ? 'confirm answered' : 'confirm refused, transaction id unusable', {
      // The interface has one code for a duplicate and for an unusable transaction id.
      event: fault === undefined ? `agent_settlement.${outcome}` : 'agent_settlement.unusable_transaction',
      ...(fault === undefined ? {} : { fault }),
      transactionId: command.transactionId,
      agentId: command.agentId,
      amountMillimes: command.amount,
    });
    sendJson(response, 200, { code: CONFIRM_CODE[outcome] });
  }

  const router = Router({ strict: true, caseSensitive: true });
  router.use(requireToken, limitTarget);
  // Express answers HEAD from a GET route; the interface has no HEAD.
  router.head(CHECK_PATH, methodNotAllowed('GET'));
  router.get(CHECK_PATH, check);
  router.all(CHECK_PATH, methodNotAllowed('GET'));
  router.post(CONFIRM_PATH, readRawBody, confirm);
  router.all(CONFIRM_PATH, methodNotAllowed('POST'));
  router.use(notFound);
  router.use(noteUnanswered(settlement));
  return router;
}

function sendUnknown(response: Response, guess: Guess): void {
  if (guess.isAnswered) sendJson(response, 200, { code: '1', desc: '', amount: '0' });
  else sendTooMany(response, guess);
}

/** The same answer to both calls, whichever agent they name. */
function sendTooMany(response: Response, guess: Guess | undefined): void {
  sendProblem(response, 503, 'too_many_unknown', guess);
}

/**
 * Notes a confirm whose token is valid but whose revocation could not be read. Its body was not read yet. Passes the
 * error on.
 */
function noteUnanswered(settlement: AgentSettlement): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const unread = request.method === 'POST' && CONFIRM_PATH.test(request.path) && request.body === undefined;
    if (!unread || !isAppError(error, 'unavailable')) return next(error);
    readRawBody(request, response, () => {
      const body = readJsonBody(request);
      const transactionId = body.ok ? usableTransactionId(body.value) : undefined;
      if (transactionId !== undefined) settlement.noteUnanswered(transactionId);
      next(error);
    });
  };
}

/** Returns the id as the gateway sent it; undefined for an unreadable id, which belongs to no agent. */
function agentIdOf(request: Request): string | undefined {
  // A request has no fragment (RFC 9112 section 3.2). Express removed it, and with it a part of the id.
  if (request.url.includes('#')) return undefined;
  try {
    return decodeURIComponent(request.path.slice('/check/'.length));
  } catch {
    return undefined;
  }
}
