import { z } from 'zod';
import type { Diagnosis, InboxEntry, WebhookFamily, WebhookState } from '../webhooks';
import { idValue, instantJson, instantValue } from './values';

// Written out, because the room loads the server's libraries, which most users of shapes do not need (ADR 23).
const FAMILIES = ['payment_v1', 'payment_v2', 'subscription', 'hint'] as const satisfies readonly WebhookFamily[];
const STATES = ['received', 'parked', 'done', 'ignored'] as const satisfies readonly WebhookState[];

export const webhookFamily = z.enum(FAMILIES);
export const WEBHOOK_STATE_WORDS = STATES;

/** A received webhook without its signed content, which may name the payer. */
export const webhookEntry = z
  .strictObject({
    id: idValue,
    family: webhookFamily,
    proof: z.enum(['authentic', 'stale', 'unsigned']),
    event: z.string().meta({ example: 'payment.succeeded' }),
    paymentId: z.string().nullable(),
    subscriptionId: z.string().nullable(),
    trackingId: z.string().nullable(),
    contentBytes: z.int(),
    signedAt: instantValue.nullable(),
    receivedAt: instantValue,
    lastReceivedAt: instantValue,
    times: z.int().meta({ description: 'How often it arrived.' }),
    conflicts: z.int().meta({ description: 'How often it arrived with other bytes.' }),
    state: z.enum(STATES),
    outcome: z.string().nullable(),
    availableAt: instantValue,
    tries: z.int(),
    error: z.string().nullable(),
    doneAt: instantValue.nullable(),
  })
  .meta({ id: 'Webhook' });

/** Returns a webhook as JSON. `payments show` prints the verified state of its payment. */
export function webhookEntryJson(entry: InboxEntry): z.input<typeof webhookEntry> {
  return {
    id: entry.id,
    family: entry.family,
    proof: entry.proof,
    event: entry.event,
    paymentId: entry.paymentId ?? null,
    subscriptionId: entry.subscriptionId ?? null,
    trackingId: entry.trackingId ?? null,
    contentBytes: entry.content.length,
    signedAt: instantJson(entry.signedAt),
    receivedAt: instantJson(entry.receivedAt),
    lastReceivedAt: instantJson(entry.lastReceivedAt),
    times: entry.times,
    conflicts: entry.conflicts,
    state: entry.state,
    outcome: entry.outcome ?? null,
    availableAt: instantJson(entry.availableAt),
    tries: entry.tries,
    error: entry.error ?? null,
    doneAt: instantJson(entry.doneAt),
  };
}

/** Why a pasted request would be refused or accepted. */
export const webhookDiagnosis = z
  .strictObject({
    verdict: z.enum(['authentic', 'stale', 'rejected']),
    cause: z.string().meta({ description: 'A stable word.', example: 'wrong_key' }),
    explanation: z.string(),
    details: z.record(z.string(), z.union([z.string(), z.number()])),
  })
  .meta({ id: 'WebhookDiagnosis' });

/** Returns a diagnosis as JSON. */
export function webhookDiagnosisJson(found: Diagnosis): z.input<typeof webhookDiagnosis> {
  return { ...found, details: { ...found.details } };
}
