import { z } from 'zod';
import type { SeededRandom } from '../core/seeded-random';
import { faultFits, LATE_MINUTES_MAX, type WebhookFault, webhookFaultSchema } from './webhook-fault';
import type { WebhookMessage } from './webhook-message';

const PPM_MAX = 1_000_000;
const LATE_MINUTES_DEFAULT = 24 * 60;

const ppm = z.int().min(0).max(PPM_MAX).default(0);

export const webhookFaultRatesSchema = z.strictObject({
  /**
   * The rate per webhook, in millionths. A webhook gets at most one of the first five faults and at most one of the
   * others.
   */
  lostPpm: ppm,
  doubledPpm: ppm,
  reorderedPpm: ppm,
  latePpm: ppm,
  earlyPpm: ppm,
  wrongKeyPpm: ppm,
  previousKeyPpm: ppm,
  lowerCaseSuccessPpm: ppm,
  oldTimestampPpm: ppm,
  futureTimestampPpm: ppm,
  tamperedPpm: ppm,
  unknownEventPpm: ppm,
  unsignedPpm: ppm,
  /** The delay of a late webhook. */
  lateMinutes: z.int().min(1).max(LATE_MINUTES_MAX).default(LATE_MINUTES_DEFAULT),
});

export type WebhookFaultRates = Readonly<z.output<typeof webhookFaultRatesSchema>>;

/**
 * Draws the faults of a message. Every rate uses one number of `random`, so a changed rate does not change which
 * webhooks the other rates affect.
 */
export function drawWebhookFaults(
  rates: WebhookFaultRates,
  message: WebhookMessage,
  random: SeededRandom,
): readonly WebhookFault[] {
  const { lateMinutes, ...ppms } = rates;
  if (Object.values(ppms).every((rate) => rate === 0)) return [];
  const drawn = (choices: readonly (readonly [number, unknown])[]): WebhookFault[] => {
    const hit = choices
      .filter(([rate]) => random.chance(rate))
      .map(([, fault]) => webhookFaultSchema.parse(fault))
      .find((fault) => faultFits(fault, message));
    return hit === undefined ? [] : [hit];
  };
  const timing = drawn([
    [rates.lostPpm, { kind: 'lost' }],
    [rates.doubledPpm, { kind: 'doubled' }],
    [rates.reorderedPpm, { kind: 'reordered' }],
    [rates.latePpm, { kind: 'late', minutes: lateMinutes }],
    [rates.earlyPpm, { kind: 'early' }],
  ]);
  const content = drawn([
    [rates.wrongKeyPpm, { kind: 'wrong_key' }],
    [rates.previousKeyPpm, { kind: 'previous_key' }],
    [rates.lowerCaseSuccessPpm, { kind: 'lower_case_success' }],
    [rates.oldTimestampPpm, { kind: 'old_timestamp' }],
    [rates.futureTimestampPpm, { kind: 'future_timestamp' }],
    [rates.tamperedPpm, { kind: 'tampered' }],
    [rates.unknownEventPpm, { kind: 'unknown_event' }],
    [rates.unsignedPpm, { kind: 'unsigned' }],
  ]);
  return [...timing, ...content];
}
