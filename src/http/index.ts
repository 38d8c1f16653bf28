export { errorHandler, methodNotAllowed, notFound } from './errors';
export { guard, type GuardDeps } from './guard';
export { answerRequests, createHttpServer } from './http-server';
export { readJsonBody } from './json-body';
export { RateCounter } from './rate-counter';
export { limitTarget, rawBody } from './request-limits';
export { sendJson, sendProblem } from './responses';
export { strictApp } from './strict-app';
