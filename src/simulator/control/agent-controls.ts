import { z } from 'zod';
import { isOutsideId, millimes, SECOND_MS } from '../../kernel';
import { type AgentCaller, type ConfirmFault, createAgentCaller } from '../agent-calls/agent-caller';
import { driveAgents } from '../agent-calls/agent-drive';
import { confirmUntilKnown } from '../agent-calls/confirm-until-known';
import { pauseUnlessStopped } from '../agent-calls/pause-unless-stopped';
import { type ControlRequest, type ControlRoute, json } from './control-route';
import { readBody } from './read-request';
import { registerAgentPayments } from './register-agent-payments';

const TIMEOUT_MS_DEFAULT = 10_000;
const TIMEOUT_MS_MAX = 120_000;
const AGENTS_MAX = 100_000;
const CONCURRENCY_DEFAULT = 8;
const TIME_LIMIT_SECS_DEFAULT = 60;
const TIME_LIMIT_SECS_MAX = 3_600;

const rate = z.number().min(0).max(1);
const agentId = z.string().min(1);
const tokenFault = z.union([z.enum(['no_token', 'bad_token']), z.strictObject({ expiredToken: z.string().min(1) })]);

/** The address of the integrator's endpoints, and the token that they expect. */
const endpoints = {
  baseUrl: z.string(),
  token: z.string().min(1),
  timeoutMs: z.int().min(1).max(TIMEOUT_MS_MAX).default(TIMEOUT_MS_DEFAULT),
};

const check = z.strictObject({
  ...endpoints,
  agentId,
  fault: z.union([tokenFault, z.enum(['lose_reply', 'leave_early'])]).optional(),
});

const confirm = z.strictObject({
  ...endpoints,
  transactionId: z.string().refine((text) => isOutsideId(text) && text !== '__proto__', 'expected a transaction id'),
  agentId,
  amountMillimes: z.int().min(1).transform(millimes),
  untilKnown: z.boolean().default(false),
  fault: z.union([tokenFault, z.enum(['lose_reply', 'leave_early', 'cut_request', 'slow_body'])]).optional(),
});

const drive = z.strictObject({
  ...endpoints,
  agents: z.array(z.strictObject({ agentId })).min(1).max(AGENTS_MAX),
  payments: z.int().min(0),
  seed: z.int().optional(),
  concurrency: z.int().min(1).default(CONCURRENCY_DEFAULT),
  timeLimitSecs: z.int().min(1).max(TIME_LIMIT_SECS_MAX).default(TIME_LIMIT_SECS_DEFAULT),
  transactionPrefix: z.string().min(1).max(60).optional(),
  expiredToken: z.string().min(1).optional(),
  faults: z
    .strictObject({
      lostReplyRate: rate.default(0),
      cutRequestRate: rate.default(0),
      slowBodyRate: rate.default(0),
      resendRate: rate.default(0),
      badTokenRate: rate.default(0),
      duplicateConcurrentRate: rate.default(0),
      unknownAgentRate: rate.default(0),
      badAmountRate: rate.default(0),
    })
    .prefault({}),
});

export const agentControls: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: '/agents/check',
    takes: '`baseUrl`, `token`, `agentId`, `fault`?, `timeoutMs`?',
    does: 'checks one agent at your endpoint, as in section 4.6',
    async answer(_simulator, request) {
      const { agentId: id, fault, ...rest } = readBody(check, request);
      return json(await callerOf(rest, request).check(id, fault));
    },
  },
  {
    method: 'POST',
    path: '/agents/confirm',
    takes: '`baseUrl`, `token`, `transactionId`, `agentId`, `amountMillimes`, `fault`?, `untilKnown`?, `timeoutMs`?',
    does: 'sends one confirm, or repeats it until its outcome is known; the gateway then owes you what you stored',
    async answer({ simulation }, request) {
      const { transactionId, agentId: id, amountMillimes, fault, untilKnown, ...rest } = readBody(confirm, request);
      const payment = { transactionId, agentId: id, amountMillimes };
      const { signal } = request;
      const caller = callerOf(rest, request);
      if (untilKnown) {
        const send = (tryFault: ConfirmFault | undefined) => caller.confirm(payment, tryFault);
        const outcome = await confirmUntilKnown({
          send,
          firstFault: fault,
          sleep: (pauseMs) => pauseUnlessStopped(pauseMs, signal),
          isStopped: () => signal.aborted,
        });
        if (outcome.kind === 'registered') registerAgentPayments(simulation, [payment]);
        return json(outcome);
      }
      const result = await caller.confirm(payment, fault);
      if (result.kind === 'answered' && result.body.code === '0') registerAgentPayments(simulation, [payment]);
      return json(result);
    },
  },
  {
    method: 'POST',
    path: '/agents/drive',
    takes:
      '`baseUrl`, `token`, `agents` (`[{agentId}]`), `payments`, `seed`?, `faults`?, `concurrency`?, `transactionPrefix`?, `expiredToken`?, `timeLimitSecs` (60), `timeoutMs`?',
    does: 'sends many checks and confirms with lost replies, resends and bad tokens, and lists violations of section 4.6; `stopped` names an early end',
    async answer({ simulation }, request) {
      const { baseUrl, token, timeoutMs, timeLimitSecs, ...plan } = readBody(drive, request);
      const { expiredToken, ...rest } = plan;
      const { summary } = await driveAgents({
        ...rest,
        ...(expiredToken === undefined ? {} : { expiredToken }),
        caller: callerOf({ baseUrl, token, timeoutMs }, request),
        signal: request.signal,
        timeLimitMs: timeLimitSecs * SECOND_MS,
        seed: plan.seed ?? simulation.world.seed,
        transactionPrefix: plan.transactionPrefix ?? simulation.newId('DRIVE-'),
      });
      registerAgentPayments(simulation, summary.registered);
      return json(summary);
    },
  },
];

/** Creates an agent caller whose calls abort when the control caller no longer waits. */
function callerOf(
  endpoint: { readonly baseUrl: string; readonly token: string; readonly timeoutMs: number },
  { signal }: ControlRequest,
): AgentCaller {
  return createAgentCaller({ ...endpoint, signal });
}
