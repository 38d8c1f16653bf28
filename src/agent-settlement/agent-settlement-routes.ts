import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  answerError,
  decodeJsonBody,
  type Guard,
  guard,
  type GuardDeps,
  methodNotAllowed,
  notFound,
  type ObserveRequest,
  OTHER_ROUTE,
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
const CHECK_PREFIX = '/service/check/';
const CHECK_ROUTE = `${CHECK_PREFIX}{agentId}`;
const CONFIRM_PATH = '/service/confirm';
const getOnly = methodNotAllowed('GET'); // the interface has no HEAD
const postOnly = methodNotAllowed('POST');

export interface AgentSettlementRouteDeps extends GuardDeps<Caller> {
  readonly settlement: AgentSettlement;
  readonly clock: Clock;
  readonly observe?: ObserveRequest | undefined;
}

/** Answers one request. `path` is that of its target, still encoded. Never rejects. */
export type AgentSettlementHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
) => Promise<void>;

/**
 * Creates the handler of everything under `/service`: `GET /service/check/{agentId}` and `POST /service/confirm`
 * (interface section 4.6). It stands beside the Express application, which takes several times as long for a request as
 * these endpoints themselves.
 */
export function agentSettlementRoutes(deps: AgentSettlementRouteDeps): AgentSettlementHandler {
  const endpoints = { ...deps, admit: guard(deps), guess: guessLimit(deps) };
  const answer: AgentSettlementHandler = async (request, response, path) => {
    try {
      await route(endpoints, { request, response, path });
    } catch (error) {
      answerError(error, request, response, deps.logger);
    }
  };
  return deps.observe === undefined ? answer : observed(answer, deps.observe);
}

/** Measures each answer here, because a listener of the response's events would cost several times as much. */
function observed(answer: AgentSettlementHandler, observe: ObserveRequest): AgentSettlementHandler {
  return async (request, response, path) => {
    const startedAt = performance.now();
    await answer(request, response, path);
    const seconds = (performance.now() - startedAt) / 1_000;
    observe({ route: routeOf(path), method: request.method, status: response.statusCode, seconds });
  };
}

function routeOf(path: string): string {
  if (path === CONFIRM_PATH) return CONFIRM_PATH;
  return path.startsWith(CHECK_PREFIX) ? CHECK_ROUTE : OTHER_ROUTE;
}

/** What the endpoints share. */
type Endpoints = Pick<AgentSettlementRouteDeps, 'settlement' | 'clock' | 'logger'> & {
  readonly admit: Guard<Caller>;
  readonly guess: (subject: string) => Guess;
};

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
}

async function route(endpoints: Endpoints, exchange: Exchange): Promise<void> {
  const { request, response, path } = exchange;
  const caller = await admitOrNote(endpoints, exchange);
  if (caller === undefined) return;
  requireShortTarget(request.url);
  if (path === CONFIRM_PATH) {
    return request.method === 'POST' ? confirm(endpoints, exchange, caller) : postOnly(request, response);
  }
  const segment = path.startsWith(CHECK_PREFIX) ? path.slice(CHECK_PREFIX.length) : '';
  if (segment === '' || segment.includes('/')) return notFound(request, response);
  return request.method === 'GET' ? check(endpoints, exchange, segment, caller) : getOnly(request, response);
}

/** Notes a confirm whose token is valid but whose revocation could not be read. Its body was not read yet. */
async function admitOrNote(
  { admit, settlement }: Endpoints,
  { request, response, path }: Exchange,
): Promise<Caller | undefined> {
  try {
    return await admit(request, response);
  } catch (error) {
    if (path === CONFIRM_PATH && request.method === 'POST' && isAppError(error, 'unavailable')) {
      const bytes = await readBody(request, response, BODY_BYTES_MAX).catch(() => undefined);
      const body = decodeJsonBody(request, bytes);
      const transactionId = body.ok ? usableTransactionId(body.value) : undefined;
      if (transactionId !== undefined) settlement.noteUnanswered(transactionId);
    }
    throw error;
  }
}

async function check(
  { settlement, guess }: Endpoints,
  { request, response }: Exchange,
  segment: string,
  caller: Caller,
): Promise<void> {
  const outcome = await settlement.check(agentIdOf(request, segment));
  // Checks of existing agents have no limit, so a payer gets an answer however much another caller guesses.
  if (outcome.kind === 'unknown') return sendUnknown(response, guess(caller.subject));
  sendJson(response, 200, { code: '0', desc: outcome.fullName, amount: String(outcome.due) });
}

async function confirm(
  { settlement, clock, logger, guess }: Endpoints,
  { request, response }: Exchange,
  caller: Caller,
): Promise<void> {
  const body = decodeJsonBody(request, await readBody(request, response, BODY_BYTES_MAX));
  if (!body.ok) {
    logger.warn('confirm could not be read', { event: 'agent_settlement.unreadable', reason: body.error });
    return sendProblem(response, body.status, body.error);
  }
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

function sendUnknown(response: ServerResponse, guess: Guess): void {
  if (guess.isAnswered) sendJson(response, 200, { code: '1', desc: '', amount: '0' });
  else sendTooMany(response, guess);
}

/** The same answer to both calls, whichever agent they name. */
function sendTooMany(response: ServerResponse, guess: Guess | undefined): void {
  sendProblem(response, 503, 'too_many_unknown', guess);
}

/** Returns the id as the gateway sent it; undefined for an unreadable id, which belongs to no agent. */
function agentIdOf({ url = '' }: IncomingMessage, segment: string): string | undefined {
  // A request has no fragment (RFC 9112 section 3.2), so what an id with a `#` means is unknown.
  if (url.includes('#')) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
