export { errorHandler, methodNotAllowed, notFound } from './errors';
export { guard } from './guard';
export { rawBody, readJsonBody } from './json-body';
export { SERVER_LIMITS } from './server-limits';
export { sendJson, sendProblem } from './responses';
