import { ADMINISTRATION_SCENARIOS } from './administration';
import { AGENT_SCENARIOS } from './agents';
import type { Scenarios } from './scenario';
import { WEBHOOK_SCENARIOS } from './webhooks';

/** A scenario for every operation. */
export const SCENARIOS: Scenarios = { ...AGENT_SCENARIOS, ...WEBHOOK_SCENARIOS, ...ADMINISTRATION_SCENARIOS };
