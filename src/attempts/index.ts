export { ATTEMPT_FIELDS, errorText, gatewayWord, instantOf, withIsLive, withLiveReference } from './attempt-codec';
export {
  BEING_SENT,
  isBeingSent,
  REQUEST_STATES,
  SENDING_MAX_MS,
  STATUS_CHECK_ACTOR,
  WITHOUT_ANSWER,
  type Attempt,
  type RequestState,
} from './attempt';
export type {
  ActOptions,
  BusinessDays,
  CollectingDeps,
  PaymentSettings,
  PlanResult,
  PollResult,
  QueueResult,
} from './collecting';
export { requireGateway, SHARED_FAULTS, toGatewayFault, withGatewayFaults } from './gateway-fault';
export { PLAN_CHECK_DEADLINE_MS, readPlanLines, refusePlan, storePlan } from './import-plan';
export { idFaults, linkFaults } from './input-faults';
export { withoutRepeatedDetail } from './last-detail-store';
export { liveReferenceError, liveReferenceFault } from './live-reference';
export {
  nextPendingCheck,
  pauseAfterFailuresMs,
  SESSION_GRACE_MS,
  UNKNOWN_FOLLOWED_MS,
  UNKNOWN_GRACE_MS,
  UNKNOWN_WORKING_DAYS_MAX,
} from './pending-check';
export { unsettledAttempt } from './unsettled-attempt-store';
export { queueOrder } from './queue-order';
export type { CallSign } from './queue-wait';
export { noteForQueue, type PausedQueue, pausedQueues, queueMaySend } from './queue-wait-record';
