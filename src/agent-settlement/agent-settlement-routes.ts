import { type NextFunction, type Request, type Response, Router } from 'express';
import {
  decodeJsonBody,
  guard,
  type GuardDeps,
  methodNotAllowed,
  notFound,
  readBody,
  requireShortTarget,
  sendJson,
  sendProblem,
} from '../http';
import { type Clock, isAppError, newId } from '../kernel';
import type { AgentSettlement } from './agent-settlement';
import { type Caller, decodeConfirm, transactionIdFault, usableTransactionId } from './confirm-command';
import type { ConfirmOutcome } from './decide';
import { type Guess, guessLimit } from './guess-limit';

/** The result codes of Confirm Payment (interface section 4.6). They are strings. */
export const CONFIRM_CODE = {
  stored: '0',
  unknown_agent: '1',
  invalid_amount: '2',
  duplicate_transaction: '3',
} as const satisfies Record<Exclude<ConfirmOutcome, 'limited'>, string>;

const BODY_BYTES_MAX = 16 * 1024;
const CONFIRM_PATH = '/confirm';
const getOnly = methodNotAllowed('GET'); // the interface has no HEAD
const postOnly = methodNotAllowed('POST');

export interface AgentSettlementRouteDeps extends GuardDeps<Caller> {
  readonly settlement: AgentSettlement;
  readonly clock: Clock;
}

/** What the endpoints share. */
type Endpoints = Pick<AgentSettlementRouteDeps, 'settlement' | 'clock' | 'logger'> & {
  readonly guess: (subject: string) => Guess;
};

/**
 * Creates `GET /check/:agentId` and `POST /confirm` (interface section 4.6), to be mounted at `/service`. The guard comes
 * first, so a caller without a token learns nothing of paths and bodies.
 */
export function agentSettlementRoutes(deps: AgentSettlementRouteDeps): Router {
  const endpoints: Endpoints = { ...deps, guess: guessLimit(deps) };
  const admit = guard(deps);
  const router = Router({ strict: true, caseSensitive: true });
  router.use(async (request, response, next) => {
    const caller = await admit(request, response).catch(async (error: unknown) => {
      if (isAppError(error, 'unavailable')) await noteConfirm(endpoints, request, response);
      throw error;
    });
    if (caller === undefined) return;
    requireShortTarget(request.originalUrl);
    response.locals['caller'] = caller;
    next();
  });
  router
    .route('/check/:agentId')
    .head(getOnly)
    .get((request, response) => check(endpoints, request, response))
    .all(getOnly);
  router
    .route(CONFIRM_PATH)
    .post((request, response) => confirm(endpoints, request, response))
    .all(postOnly);
  router.use(notFound);
  // Express throws at an id that it cannot decode. It belongs to no agent.
  router.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (!(error instanceof URIError)) return next(error);
    if (request.method === 'GET') sendUnknown(endpoints, response);
    else getOnly(request, response);
  });
  return router;
}

/** Notes a confirm whose token is valid but whose revocation could not be read. Its body was not read yet. */
async function noteConfirm({ settlement }: Endpoints, request: Request, response: Response): Promise<void> {
  if (request.path !== CONFIRM_PATH || request.method !== 'POST') return;
  const bytes = await readBody(request, response, BODY_BYTES_MAX).catch(() => undefined);
  const body = decodeJsonBody(request, bytes);
  const transactionId = body.ok ? usableTransactionId(body.value) : undefined;
  if (transactionId !== undefined) settlement.noteUnanswered(transactionId);
}

async function check(
  endpoints: Endpoints,
  { originalUrl, params }: Request<{ agentId: string }>,
  response: Response,
): Promise<void> {
  // A request has no fragment (RFC 9112 section 3.2), so what an id with a `#` means is unknown.
  const outcome = await endpoints.settlement.check(originalUrl.includes('#') ? undefined : params.agentId);
  // Checks of existing agents have no limit, so a payer gets an answer however much another caller guesses.
  if (outcome.kind === 'unknown') return sendUnknown(endpoints, response);
  sendJson(response, 200, { code: '0', desc: outcome.fullName, amount: String(outcome.due) });
}

async function confirm(
  { settlement, clock, logger, guess }: Endpoints,
  request: Request,
  response: Response,
): Promise<void> {
  const body = decodeJsonBody(request, await readBody(request, response, BODY_BYTES_MAX));
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

function callerOf({ locals }: Response): Caller {
  return locals['caller'] as Caller;
}

function sendUnknown({ guess }: Endpoints, response: Response): void {
  const guessed = guess(callerOf(response).subject);
  if (guessed.isAnswered) sendJson(response, 200, { code: '1', desc: '', amount: '0' });
  else sendTooMany(response, guessed);
}

/** The same answer to both calls, whichever agent they name. */
function sendTooMany(response: Response, guess: Guess | undefined): void {
  sendProblem(response, 503, 'too_many_unknown', guess);
}
