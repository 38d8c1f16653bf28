export { apiRoutes, type ApiRouteDeps } from './api-routes';
export { removeExpiredAnswers } from './idempotency/answer-once';
export { declaredProblems } from './declared-problems';
export { type ApiProblemCode, problemStatuses, statusOfProblem, titleOf } from './problem';
export type { ApiRooms } from './rooms';
export { type Route, TAGS } from './route';
export { ROUTES } from './routes';
export { performTasks } from './threads/perform-task';
export { type PerformLong, performInThreads } from './threads/start-thread';
