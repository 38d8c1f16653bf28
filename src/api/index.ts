export { apiRoutes } from './api-routes';
export { removeExpiredAnswers } from './idempotency/answer-once';
export { declaredProblems } from './operation/declared-problems';
export { type ApiProblemCode, problemStatuses, statusOfProblem } from './operation/problem';
export type { ApiRooms } from './operation/rooms';
export { hasTag, isKeyed, type Route, TAGS } from './operation/route';
export { ROUTES } from './routes';
export { performTasks } from './threads/perform-task';
export { type PerformLong, performInThreads } from './threads/start-thread';
