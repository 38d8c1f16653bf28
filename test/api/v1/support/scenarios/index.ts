import { AGENT_SCENARIOS } from './agents';
import { BREAK_SCENARIOS } from './breaks';
import { CREDIT_SCENARIOS } from './credits';
import { DAY_SCENARIOS } from './days';
import { PROPOSAL_SCENARIOS } from './proposals';
import { RUN_SCENARIOS } from './runs';
import type { Scenarios } from './scenario';

/** A scenario for every operation. */
export const SCENARIOS: Scenarios = {
  ...AGENT_SCENARIOS,
  ...CREDIT_SCENARIOS,
  ...RUN_SCENARIOS,
  ...BREAK_SCENARIOS,
  ...PROPOSAL_SCENARIOS,
  ...DAY_SCENARIOS,
};
