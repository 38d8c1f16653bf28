import { DAY_MS, MINUTE_MS } from '../kernel';

/** How late the gateway may list or report a request of unknown outcome (open point 129). */
export const UNKNOWN_GRACE_MS = 40 * MINUTE_MS;

/** How long Millime follows a request of unknown outcome (open point 129). */
export const UNKNOWN_FOLLOWED_MS = 5 * DAY_MS;

/** How many working days Millime checks a payment whose status does not become final (open point 15). */
export const UNKNOWN_WORKING_DAYS_MAX = 5;
