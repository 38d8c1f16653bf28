export { ATTEMPT_FIELDS, errorText, gatewayWord, withIsLive, withLiveReference } from './attempt-codec';
export { REQUEST_STATES, type Attempt, type RequestState } from './attempt';
export { BEING_SENT, isBeingSent, SENDING_MAX_MS } from './being-sent';
export type {
  ActOptions,
  BusinessDays,
  CollectingDeps,
  PaymentSettings,
  PlanResult,
  PollResult,
  QueueResult,
} from './collecting';
export { toGatewayFault, withGatewayFaults } from './gateway-fault';
export { faultText, idFaults, inputError, linkFaults } from './input-error';
export { readLastDetail } from './last-detail-store';
export { otherApplication } from './other-application';
export { nextPendingCheck, pauseAfterFailuresMs, SESSION_GRACE_MS } from './pending-check';
export { queueMaySend } from './queue-may-send';
export { queueOrder } from './queue-order';
export type { CallSign } from './queue-wait';
export { noteForQueue } from './queue-wait-record';
export { requireGateway } from './require-gateway';
export { SHARED_FAULTS } from './shared-faults';
export { STATUS_CHECK_ACTOR } from './status-check-actor';
export { UNKNOWN_FOLLOWED_MS, UNKNOWN_GRACE_MS, UNKNOWN_WORKING_DAYS_MAX } from './unknown-outcome';
