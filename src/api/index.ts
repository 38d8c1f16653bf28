export { apiRoutes } from './api-routes';
export { type Asked, type Json, type OperationId, type Operations, operations } from './call-operation';
export { removeExpiredAnswers } from './idempotency/answer-once';
export { declaredProblems } from './operation/declared-problems';
export {
  type ApiProblemCode,
  ApiRefusal,
  faultBody,
  isTold,
  problemStatuses,
  refusalBody,
  statusOfProblem,
} from './operation/problem';
export type { ApiRooms } from './operation/rooms';
export { keyLimits, type LimitKey } from './requests/key-limits';
export { hasTag, isKeyed, type Route, TAGS, type UploadBody } from './operation/route';
export { type LongOperations, longOperations } from './requests/long-operations';
export { ROUTES } from './routes';
export { performTasks } from './threads/perform-task';
export { performInThreads } from './threads/start-thread';
