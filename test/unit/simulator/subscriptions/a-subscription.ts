import { type Instant, parseInstant } from '../../../../src/kernel';
import { knownSubscription } from '../../../../src/simulator/subscriptions/find-subscription';
import { payPayment, type SimSubscription, type Simulator } from '../../../../src/simulator/testing';
import { answerTo, aSimulator, passTime } from '../../../support/a-simulator';

export const CREATION = {
  amount: 30_000,
  interval: 'month',
  name: 'Gold',
  developer_tracking_id: 'plan-1',
  success_link: 'https://shop.example/paid',
  fail_link: 'https://shop.example/failed',
} as const;

type Fields = Readonly<Record<string, unknown>>;

/** A simulator that knows one subscription, not paid yet. */
export function withSubscription({
  body = {},
  settings = {},
  startAt = '2026-03-02T08:00:00.000Z',
}: { readonly body?: Fields; readonly settings?: Fields; readonly startAt?: string } = {}): {
  readonly simulator: Simulator;
  readonly subscription: SimSubscription;
} {
  const simulator = aSimulator({ startAt, settings: { subscriptions: settings } });
  answerTo(simulator, 'POST /api/v2/subscriptions', { body: { ...CREATION, ...body } });
  const [id = ''] = Object.keys(simulator.simulation.world.subscriptions.byId);
  return { simulator, subscription: knownSubscription(simulator.simulation, id) };
}

/** The same, paid as soon as it was made. */
export async function withActive(options: Parameters<typeof withSubscription>[0] = {}): Promise<{
  readonly simulator: Simulator;
  readonly subscription: SimSubscription;
}> {
  const { simulator, subscription } = withSubscription(options);
  await pay(simulator, subscription);
  return { simulator, subscription };
}

/** Pays the first charge. */
export async function pay(simulator: Simulator, { charges }: SimSubscription): Promise<void> {
  payPayment(simulator.simulation, charges[0]?.paymentId ?? '');
  await passTime(simulator, 0);
}

/** The instant that an ISO text names. */
export function instantOf(iso: string): Instant {
  const instant = parseInstant(iso);
  if (instant === undefined) throw new Error(`not an ISO instant: ${iso}`);
  return instant;
}

export async function passUntil(simulator: Simulator, iso: string): Promise<void> {
  await simulator.advanceTo(instantOf(iso));
}

/** What was told, in order: `event → the status that it gave`. */
export function told({ simulation }: Simulator): readonly string[] {
  return simulation.world.trace
    .filter(({ what }) => what === 'subscription')
    .map(({ facts }) => `${String(facts['event'])} → ${String(facts['status'])}`);
}

/** Each charge, the oldest first: `reason attempt status start..end`. */
export function chargesOf({ simulation }: Simulator, { charges }: SimSubscription): readonly string[] {
  return charges.map(({ billingReason, attempt, paymentId, periodStart, periodEnd }) => {
    const status = simulation.world.checkout.payments[paymentId]?.status ?? 'none';
    return `${billingReason} ${attempt} ${status} ${periodStart}..${periodEnd ?? ''}`;
  });
}
