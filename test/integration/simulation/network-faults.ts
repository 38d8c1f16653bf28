import fc from 'fast-check';
import {
  decodeCallFaultOrder,
  decodeWebhookOrder,
  nextWebhook,
  orderCallFault,
  type Simulator,
} from '../../../src/simulator/testing';

/** What happens to the `nth` next call that a process sends to the gateway, or to the next webhook. */
export type NetworkFault =
  | { readonly on: 'call'; readonly nth: number; readonly fault: CallKind }
  | { readonly on: 'webhook'; readonly fault: WebhookKind };

const CALLS = {
  lost_request: { kind: 'reset_before' },
  lost_answer: { kind: 'reset_after' },
  cut_answer: { kind: 'cut_mid_body' },
  refused_for_now: { kind: 'status', code: 503, processed: false },
  done_and_failed: { kind: 'status', code: 500, processed: true },
  garbage: { kind: 'garbage' },
  proxy_page: { kind: 'html_502' },
  too_many: { kind: 'too_many', retryAfterSecs: 1 },
  webhook_first: { kind: 'webhook_first' },
} as const;

const WEBHOOKS = {
  doubled: { kind: 'doubled' },
  reordered: { kind: 'reordered' },
  late: { kind: 'late', minutes: 7 },
  lost: { kind: 'lost' },
  wrong_key: { kind: 'wrong_key' },
  tampered: { kind: 'tampered' },
  unsigned: { kind: 'unsigned' },
  old_timestamp: { kind: 'old_timestamp', secs: 3_600 },
  future_timestamp: { kind: 'future_timestamp', secs: 3_600 },
  unknown_event: { kind: 'unknown_event' },
} as const;

type CallKind = keyof typeof CALLS;
type WebhookKind = keyof typeof WEBHOOKS;

const CALLS_MAX = 2;

export const networkFault: fc.Arbitrary<NetworkFault> = fc.oneof(
  fc.record({
    on: fc.constant('call' as const),
    nth: fc.integer({ min: 1, max: CALLS_MAX }),
    fault: fc.constantFrom(...(Object.keys(CALLS) as CallKind[])),
  }),
  fc.record({
    on: fc.constant('webhook' as const),
    fault: fc.constantFrom(...(Object.keys(WEBHOOKS) as WebhookKind[])),
  }),
);

/** Orders the faults at the simulated gateway. Those that met no call or webhook are dropped by `clearNetworkFaults`. */
export function orderNetworkFaults({ simulation, operations }: Simulator, faults: readonly NetworkFault[]): void {
  for (const given of faults) {
    if (given.on === 'call') {
      const order = { afterCalls: given.nth - 1, fault: CALLS[given.fault] };
      orderCallFault(simulation, decodeCallFaultOrder(order, operations));
    } else nextWebhook(simulation, decodeWebhookOrder({ fault: WEBHOOKS[given.fault] }));
  }
}

export function clearNetworkFaults({ simulation: { world } }: Simulator): void {
  world.faults.orders = [];
  world.webhooks.orders = [];
}
