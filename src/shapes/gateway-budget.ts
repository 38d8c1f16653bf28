import { z } from 'zod';
import type { PausedQueue } from '../attempts';
import type { CallBudgetUse, CallsUsed } from '../gateway';
import type { Instant } from '../kernel';
import { instantJson, instantValue } from './values';

/** The call budget of the gateway and the queues that wait for it, as of an instant. */
export interface GatewayBudgetUse extends CallBudgetUse {
  readonly at: Instant;
  readonly paused: readonly PausedQueue[];
}

const callsUsed = z
  .strictObject({
    used: z.int().meta({ description: 'The calls of the last minute.' }),
    limit: z.int().meta({ description: 'The calls that any minute may have.' }),
    freesAt: instantValue.nullable().meta({ description: 'When the oldest call no longer counts; null without one.' }),
  })
  .meta({ id: 'CallsUsed' });

/** How much of the call budget all processes of the installation used. */
export const gatewayBudgetValue = z
  .strictObject({
    at: instantValue,
    verifies: callsUsed.meta({ description: 'Status checks of payments.' }),
    subscriptionCreations: callsUsed,
    circuit: z.strictObject({
      isOpen: z.boolean().meta({ description: 'Whether status checks are stopped.' }),
      cause: z.enum(['forbidden', 'rate_limited', 'unavailable', 'unreachable']).nullable(),
      retryAt: instantValue.nullable().meta({ description: 'When the next call may test the gateway; null if now.' }),
    }),
    pausedQueues: z
      .array(
        z.strictObject({
          queue: z.enum(['payments', 'subscriptions']),
          unanswered: z.int().meta({ description: 'The number of consecutive unanswered calls.' }),
          resumesAt: instantValue,
        }),
      )
      .meta({ description: 'The queues of requests that send nothing for now.' }),
  })
  .meta({ id: 'GatewayBudget' });

/** Returns the use of the call budget as JSON. */
export function gatewayBudgetJson({
  at,
  verifies,
  creations,
  circuit: { isOpen, cause, refusedForMs },
  paused,
}: GatewayBudgetUse): z.input<typeof gatewayBudgetValue> {
  return {
    at: instantJson(at),
    verifies: callsUsedJson(verifies),
    subscriptionCreations: callsUsedJson(creations),
    circuit: { isOpen, cause: cause ?? null, retryAt: refusedForMs === 0 ? null : instantJson(at + refusedForMs) },
    pausedQueues: paused.map(({ queue, unanswered, resumesAt }) => ({
      queue,
      unanswered,
      resumesAt: instantJson(resumesAt),
    })),
  };
}

function callsUsedJson({ used, limit, freesAt }: CallsUsed): z.input<typeof callsUsed> {
  return { used, limit, freesAt: instantJson(freesAt) };
}
