import { AGENT_SCENARIOS } from './agents';
import { PAYMENT_SCENARIOS } from './payments';
import type { Scenarios } from './scenario';

/** A scenario for every operation. */
export const SCENARIOS: Scenarios = { ...AGENT_SCENARIOS, ...PAYMENT_SCENARIOS };
