import { BILLING_INTERVALS, type BillingInterval } from './billing-cycle';
import { FieldReader } from './field-reader';
import type { SubscriptionTerms } from './subscription-state';

const AMOUNT_MIN_MILLIMES = 100;
/** A cycle is at most a year in its own unit: both 52 weeks and 366 days are valid (open point 65). */
const CYCLE_MAX: Readonly<Record<BillingInterval, number>> = { day: 366, week: 52, month: 12, year: 1 };
const NAME_CHARACTERS_MAX = 50;
const DESCRIPTION_CHARACTERS_MAX = 200;
const TRACKING_ID_CHARACTERS_MAX = 50;
const CLIENT_ID_CHARACTERS_MAX = 255;
const SESSION_TIMEOUT_SECS = { min: 1_200, max: 7_200 } as const;
const SESSION_TIMEOUT_FAULT = `Must be between ${SESSION_TIMEOUT_SECS.min} and ${SESSION_TIMEOUT_SECS.max}.`;
const CYCLES_MIN = 1;

export type Creation =
  | { readonly kind: 'terms'; readonly terms: SubscriptionTerms }
  | { readonly kind: 'refused'; readonly faults: Readonly<Record<string, readonly string[]>> };

/**
 * Reads the body of Create Subscription by the rules of interface sections 4.2, 7.1 and 8. Links may be `http` on this
 * machine, where tests run (open point 11). An optional field is absent or has its type; null is refused.
 */
export function readCreation(body: Readonly<Record<string, unknown>>): Creation {
  const fields = new FieldReader(body);
  const currency = fields.value('currency');
  if (currency !== undefined && currency !== 'TND') fields.refuse('currency', 'Only TND is supported.');
  if (fields.value('destination') !== undefined) {
    fields.refuse('destination', 'Split payments cannot be attached to a subscription.');
  }
  const terms: SubscriptionTerms = {
    amountMillimes: fields.whole('amount', { min: AMOUNT_MIN_MILLIMES }),
    interval: fields.oneOf('interval', BILLING_INTERVALS),
    intervalCount: fields.optional('interval_count', 1, (name) =>
      fields.whole(name, { min: 1, max: cycleMax(fields.value('interval')), above: 'Cycle exceeds one year.' }),
    ),
    name: fields.text('name', { max: NAME_CHARACTERS_MAX }),
    description: fields.optional('description', '', (name) =>
      fields.text(name, { max: DESCRIPTION_CHARACTERS_MAX, blank: true }),
    ),
    developerTrackingId: fields.text('developer_tracking_id', { max: TRACKING_ID_CHARACTERS_MAX }),
    successLink: fields.link('success_link'),
    failLink: fields.link('fail_link'),
    webhook: fields.optional('webhook', null, (name) => fields.link(name)),
    sessionTimeoutSecs: fields.optional('session_timeout', SESSION_TIMEOUT_SECS.min, (name) =>
      fields.whole(name, { ...SESSION_TIMEOUT_SECS, below: SESSION_TIMEOUT_FAULT, above: SESSION_TIMEOUT_FAULT }),
    ),
    clientId: fields.optional('client_id', null, (name) => fields.text(name, { max: CLIENT_ID_CHARACTERS_MAX })),
    maxCycles: fields.optional('max_cycles', null, (name) => fields.whole(name, { min: CYCLES_MIN })),
    acceptCard: fields.optional('accept_card', false, (name) => fields.flag(name)),
  };
  const { faults } = fields;
  return Object.keys(faults).length === 0 ? { kind: 'terms', terms } : { kind: 'refused', faults };
}

/** Returns the maximum of a unit. An unknown unit gets the highest one, because it is refused separately. */
function cycleMax(interval: unknown): number {
  return CYCLE_MAX[BILLING_INTERVALS.find((each) => each === interval) ?? 'day'];
}
