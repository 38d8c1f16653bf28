import type { Route } from '../route';
import { AGENT_ROUTES } from './agents';

/** Every operation of the API, in the order of its documentation. */
export const ROUTES: readonly Route[] = [...AGENT_ROUTES];
