import { z } from 'zod';
import { checkoutSettings } from '../checkout/checkout-settings';
import { decodeWith } from '../core/decode-with';
import { coreSettings, type SimulatorSettings } from '../core/settings';
import { payoutSettings } from '../payouts/payout-settings';
import { subscriptionSettings } from '../subscriptions/subscription-settings';
import { webhookSettings } from '../webhooks/webhook-settings';

const settingsSchema = z.strictObject({
  ...coreSettings,
  ...checkoutSettings,
  ...subscriptionSettings,
  ...webhookSettings,
  ...payoutSettings,
});

/**
 * Reads settings as JSON gives them.
 *
 * @throws AppError `bad_input` whose details name each field that cannot be used.
 */
export function decodeSettings(value: unknown): SimulatorSettings {
  return decodeWith(settingsSchema, value ?? {}, 'settings');
}
