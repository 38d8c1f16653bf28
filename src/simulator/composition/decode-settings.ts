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
 * Decodes settings from JSON.
 *
 * @throws AppError `bad_input` whose details name each invalid field.
 */
export function decodeSettings(value: unknown): SimulatorSettings {
  return decodeWith(settingsSchema, value ?? {}, 'settings');
}
