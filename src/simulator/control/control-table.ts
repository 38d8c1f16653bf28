import { agentControls } from './agent-controls';
import type { ControlRoute } from './control-route';
import { deviceControls } from './device-controls';
import { faultControls } from './fault-controls';
import { paymentControls } from './payment-controls';
import { payoutControls } from './payout-controls';
import { stateControls } from './state-controls';
import { subscriptionControls } from './subscription-controls';
import { timeControls } from './time-controls';

export const CONTROL_PREFIX = '/_simulator';

/** All control calls, in the order of the README. */
export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...timeControls,
  ...stateControls,
  ...paymentControls,
  ...subscriptionControls,
  ...deviceControls,
  ...faultControls,
  ...agentControls,
  ...payoutControls,
];

/** Returns a row for the list of `GET /_simulator`. */
export function describeRoute({ method, path, takes = '', does }: ControlRoute): Readonly<Record<string, string>> {
  return { method, path: `${CONTROL_PREFIX}${path}`, takes, does };
}

/** Returns a row for the README's table. */
export function routeRow({ method, path, takes = '', does }: ControlRoute): string {
  return `| \`${method} ${CONTROL_PREFIX}${path}\` | ${takes} | ${does} |`;
}
