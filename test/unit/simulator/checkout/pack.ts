import { businessDate } from '../../../../src/kernel';
import { checkoutEvents } from '../../../../src/simulator/checkout/checkout-events';
import { checkoutOperations } from '../../../../src/simulator/checkout/checkout-operations';
import type { TimelineHandlers } from '../../../../src/simulator/core/timeline';
import { settlementEvents } from '../../../../src/simulator/payouts/settlement-events';
import {
  createSimulator,
  GATEWAY_PARTS,
  type SimAnswer,
  type SimPayment,
  type Simulation,
  type Simulator,
  SimulatorClock,
  type WebhookMessage,
} from '../../../../src/simulator/testing';
import { webhookEvents } from '../../../../src/simulator/webhooks/webhook-events';
import { fixedClock } from '../../../support/fakes';
import { at } from '../payouts/pack';

/** A Monday morning in Tunis. */
export const START = at('2026-03-02 10:00');

export const BODY = {
  amount: '25000',
  success_link: 'https://shop.example/paid',
  fail_link: 'https://shop.example/failed',
};

export interface CheckoutWorld {
  readonly simulator: Simulator;
  readonly simulation: Simulation;
  /** Calls an operation of the hosted checkout as a caller with a good credential. */
  call(name: string, request?: CallRequest): SimAnswer;
  /** Generate Payment with a good body and what is given here; answers the payment's id. */
  create(more?: Readonly<Record<string, unknown>>): string;
  payment(paymentId: string): SimPayment;
  /** `result` of Verify Payment. */
  verified(paymentId: string): Record<string, unknown>;
  /** To a local time such as `2026-03-03 09:00`. */
  advanceTo(local: string): Promise<void>;
  advanceSecs(secs: number): Promise<void>;
  /** What was told to the webhook, oldest first. */
  webhooks(): readonly WebhookMessage[];
  /** The payments that a subscription was told of, oldest first. */
  readonly settledCharges: readonly string[];
}

interface CallRequest {
  readonly body?: unknown;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** The checkout and the payouts of a simulator. Webhooks are planned but never sent: nothing here opens a socket. */
export function aCheckout(settings: unknown = {}, seed = 7): CheckoutWorld {
  const settledCharges: string[] = [];
  const events: TimelineHandlers = {
    ...Object.fromEntries(Object.keys(webhookEvents).map((kind) => [kind, () => undefined])),
    ...settlementEvents,
    ...checkoutEvents,
    'subscription.charge_settled': (_simulation, { paymentId }) => {
      settledCharges.push(String(paymentId));
    },
  };
  const simulator = createSimulator({
    clock: new SimulatorClock('manual', fixedClock(START)),
    seed,
    timeZone: 'Africa/Tunis',
    holidays: [businessDate('2026-03-20')],
    settings,
    ...GATEWAY_PARTS,
    operations: checkoutOperations,
    events,
  });
  const { simulation } = simulator;
  const call = (name: string, { body, params = {}, query = {} }: CallRequest = {}): SimAnswer => {
    const operation = checkoutOperations.find((one) => one.name === name);
    if (operation === undefined) throw new Error(`no operation ${name}`);
    const { method } = operation;
    return simulator.answer(operation, { method, params, query: new URLSearchParams(query), headers: {}, body });
  };
  const resultOf = (answer: SimAnswer): Record<string, unknown> => (answer.body as { result: never }).result;
  return {
    simulator,
    simulation,
    call,
    settledCharges,
    create: (more = {}) => String(resultOf(call('payments.create', { body: { ...BODY, ...more } }))['payment_id']),
    payment: (paymentId) => {
      const payment = simulation.world.checkout.payments[paymentId];
      if (payment === undefined) throw new Error(`no payment ${paymentId}`);
      return payment;
    },
    verified: (paymentId) => resultOf(call('payments.verify', { params: { payment_id: paymentId } })),
    advanceTo: (local) => simulator.advanceTo(at(local)),
    advanceSecs: (secs) => simulator.advanceTo(simulation.now() + secs * 1_000),
    webhooks: () => Object.values(simulation.world.webhooks.deliveries).map(({ message }) => message),
  };
}

export const BAD_REQUEST = { result: { status: 400, message: 'Bad Request' } };
