export { jobActor, OPERATOR, requireScope, type Actor } from './actor';
export { SCOPES, type Scope } from './scope';
