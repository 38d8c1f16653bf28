import type { Route } from '../route';
import { AGENT_ROUTES } from './agents';
import { PAYMENT_ROUTES } from './payments';
import { SUBSCRIPTION_ROUTES } from './subscriptions';
import { WALLET_ROUTES } from './wallets';

/** Every operation of the API, in the order of its documentation. */
export const ROUTES: readonly Route[] = [...AGENT_ROUTES, ...PAYMENT_ROUTES, ...SUBSCRIPTION_ROUTES, ...WALLET_ROUTES];
