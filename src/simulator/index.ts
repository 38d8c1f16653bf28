export {
  createAgentCaller,
  type AgentCaller,
  type CheckResult,
  type ConfirmFault,
  type ConfirmResult,
} from './agent-calls/agent-caller';
export { confirmUntilKnown, DEFAULT_BACKOFF, type KnownOutcome } from './agent-calls/confirm-until-known';
export { driveAgents, type DriveOptions } from './agent-calls/agent-drive';
export { type DriveAttempt } from './agent-calls/drive-attempt';
export { planDrive, type DriveFaults, type PlannedPayment } from './agent-calls/plan-drive';
export { playCalls } from './agent-calls/play-calls';
export { mergeSettings } from './control/merge-settings';
export { decodeSavedState, savedStateText, type SavedState } from './control/saved-state';
export type { BaseClock, ClockMode } from './core/simulator-clock';
export { isSimulatedInstant, SIMULATED_TIME_RANGE } from './core/simulated-time';
export { formPayouts } from './payouts/form-payouts';
export type { PayableItem } from './payouts/payable-item';
export type { Payout } from './payouts/payout';
export { decodePayoutPlan, type PayoutPlan } from './payouts/payout-plan';
export { priceItems } from './payouts/price-items';
export { createSeededRandom, type SeededRandom } from './core/seeded-random';
export { startSimulator, type RunningSimulator } from './start-simulator';
