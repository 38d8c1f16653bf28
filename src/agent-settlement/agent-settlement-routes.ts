import { Router, type Request, type Response } from 'express';
import { guard, methodNotAllowed, notFound, rawBody, readJsonBody, sendProblem } from '../http';
import { newId, type Clock } from '../kernel';
import type { Logger } from '../logging';
import type { AgentSettlement } from './agent-settlement';
import { decodeConfirm, type Caller } from './confirm-command';
import type { ConfirmOutcome } from './decide';

/** Interface section 4.6; the codes are strings. */
const CONFIRM_CODE = {
  stored: '0',
  unknown_agent: '1',
  invalid_amount: '2',
  duplicate_transaction: '3',
} as const satisfies Record<ConfirmOutcome, string>;

const BODY_BYTES_MAX = 16 * 1024;

// Regular expressions, because Express would decode a parameter before we see it, and answer a bad one with an error.
const CHECK_PATH = /^\/check\/[^/]+$/;
const CONFIRM_PATH = /^\/confirm$/;

export interface AgentSettlementRouteDeps {
  readonly settlement: AgentSettlement;
  readonly verify: (authorization: string | undefined) => Promise<Caller | undefined>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** `GET /check/:agentId` and `POST /confirm`, to be mounted at `/service`. */
export function agentSettlementRoutes({ settlement, verify, clock, logger }: AgentSettlementRouteDeps): Router {
  const { handler: requireToken, callerOf } = guard(verify);

  async function check(request: Request, response: Response): Promise<void> {
    const outcome = await settlement.check(agentIdOf(request));
    answer(
      response,
      outcome.kind === 'valid'
        ? { code: '0', desc: outcome.fullName, amount: String(outcome.due) }
        : { code: '1', desc: '', amount: '0' },
    );
  }

  async function confirm(request: Request, response: Response): Promise<void> {
    const body = readJsonBody(request);
    if (!body.ok) {
      logger.warn('confirm could not be read', { event: 'agent_settlement.unreadable', reason: body.error });
      return sendProblem(response, body.status, body.error);
    }
    const command = decodeConfirm(body.value, {
      attemptId: newId(),
      rawBody: body.raw,
      receivedAt: clock.now(),
      caller: callerOf(response),
    });
    if (command === undefined) return sendProblem(response, 400, 'not_an_object');
    const outcome = await settlement.confirm(command);
    logger.info('confirm answered', {
      event: `agent_settlement.${outcome}`,
      transactionId: command.transactionId,
      amountMillimes: command.amount,
    });
    answer(response, { code: CONFIRM_CODE[outcome] });
  }

  const router = Router({ strict: true, caseSensitive: true });
  router.use(requireToken);
  // Express answers HEAD from a GET route; the interface has no HEAD.
  router.head(CHECK_PATH, methodNotAllowed('GET'));
  router.get(CHECK_PATH, check);
  router.all(CHECK_PATH, methodNotAllowed('GET'));
  router.post(CONFIRM_PATH, rawBody(BODY_BYTES_MAX), confirm);
  router.all(CONFIRM_PATH, methodNotAllowed('POST'));
  router.use(notFound);
  return router;
}

/** The id as the gateway sent it; undefined when its percent-encoding means nothing, and so it is nobody's. */
function agentIdOf(request: Request): string | undefined {
  try {
    return decodeURIComponent(request.path.slice('/check/'.length));
  } catch {
    return undefined;
  }
}

function answer(response: Response, body: Readonly<Record<string, string>>): void {
  response.status(200).set('Cache-Control', 'no-store').json(body);
}
