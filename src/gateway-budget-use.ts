import { pausedQueues, requireGateway } from './attempts';
import type { Millime } from './compose';
import { readCallBudgetUse } from './gateway';
import { sharedBudgetReader } from './gateway-budget';
import type { GatewayBudgetUse } from './shapes/gateway-budget';

/**
 * Reads how much of the gateway's call budget all processes used, and which queues wait. It calls nothing.
 *
 * @throws AppError `gateway_off`.
 */
export async function gatewayBudgetUse({ config, database, clock }: BudgetMillime): Promise<GatewayBudgetUse> {
  const gateway = requireGateway(config);
  const calls = await database.read((session) =>
    readCallBudgetUse({ store: sharedBudgetReader(session), clock, ...gateway }),
  );
  return { ...calls, at: clock.now(), paused: await pausedQueues({ database, clock, settings: gateway }) };
}

type BudgetMillime = Pick<Millime, 'config' | 'database' | 'clock'>;
