import type { Millime } from '../../../src/compose';
import { OPERATOR } from '../../../src/identity';
import { DAY_MS, formatInstant, HOUR_MS, MINUTE_MS, parseInstant } from '../../../src/kernel';
import { payQr } from '../../../src/simulator/testing';
import { aClientOf } from '../../support/a-simulator';
import { type Random, randomFrom } from '../../support/random';
import type { Installation } from '../support/installation';
import { selectRows } from '../support/tables';
import { until } from '../support/until';
import { type MonthAction, type MonthPlan, type MonthSize, type PlannedSubscription } from './month-plan';
import type { Relay } from './relay';
import type { WatchedGateway } from './watched-gateway';

export const MERCHANT_ID = 12;
/** Within a step the business clock stands still, and a signature may be at most 300 s old. */
const OPEN_STEP_MS = 4 * MINUTE_MS;
const QUIET_STEP_MS = 3 * HOUR_MS;
/** Longer than the longest cadence. */
const LAST_LOOK_MS = 27 * HOUR_MS;
/** Far above what a slow machine needs for the looks of one step. */
const STEP_LIMIT_MS = 240_000;
const ACT = { actor: OPERATOR, dryRun: false };

export interface Month {
  readonly installation: Installation;
  /** Millime in this process, for what a person does on the command line. */
  readonly millime: Millime;
  readonly gateway: WatchedGateway;
  readonly relay: Relay;
  readonly plan: MonthPlan;
  readonly size: MonthSize;
  /** After the last day: sessions end, cards are paid out, fees are computed. */
  readonly quietDays: number;
  readonly startAt: number;
  readonly seed: number;
  /** The business time that has been reached. */
  now: number;
}

/** Lets a whole month pass, with all that people and customers do in it, and then what is left to happen. */
export async function driveMonth(month: Month): Promise<void> {
  const actions = [...month.plan.actions];
  const random = randomFrom(month.seed, 1);
  for (let day = 0; day < month.size.days; day += 1) {
    const midnight = month.startAt + day * DAY_MS;
    if (day === month.plan.outageDay) await month.relay.cut();
    else await month.relay.restore();
    await writePlans(month, day);
    for (let at = midnight; at < midnight + DAY_MS; at = nextStep(month, at, midnight)) {
      await step(month, at);
      while (actions[0] !== undefined && month.startAt + actions[0].atMs <= at) {
        await act(month, actions.shift() as MonthAction);
      }
      if (day !== month.plan.outageDay) await people(month, at - midnight, random);
    }
  }
  await month.relay.restore();
  const end = month.startAt + month.size.days * DAY_MS;
  for (const action of actions) await act(month, action);
  const quiet = end + month.quietDays * DAY_MS;
  for (let at = end; at < quiet; at += QUIET_STEP_MS) await step(month, at);
  // The gateway's time stands still now: everything is looked at once more, and what is true then is what must be known.
  for (let at = quiet; at <= quiet + LAST_LOOK_MS; at += QUIET_STEP_MS) await work(month, at);
}

function nextStep({ plan, size, startAt }: Month, at: number, midnight: number): number {
  if (midnight === startAt + (plan.outageDay ?? Number.NaN) * DAY_MS) return at + size.outageStepHours * HOUR_MS;
  const isOpen = at >= midnight + size.opens * HOUR_MS && at < midnight + size.closes * HOUR_MS;
  return at + (isOpen ? OPEN_STEP_MS : size.closedStepHours * HOUR_MS);
}

/** Lets time pass for everybody, and waits until every process has done what was to be done at that time. */
async function step(month: Month, at: number): Promise<void> {
  // The gateway's time first: what we take for past must not be still to come for it. What its webhooks ask for is done
  // before our clock moves, so that it is known by which clock each call was made.
  await month.gateway.running.simulator.advanceTo(at);
  await work(month, month.now);
  await work(month, at);
}

async function work(month: Month, at: number): Promise<void> {
  month.now = at;
  month.installation.setClock(formatInstant(at));
  const window = at - (at % MINUTE_MS);
  const what = `the work of ${formatInstant(at)} is done`;
  await until(what, async () => (await openWork(month, at, window)) === 0, STEP_LIMIT_MS);
}

async function openWork({ installation: { url } }: Month, at: number, window: number): Promise<number> {
  const [row] = await selectRows(
    url,
    `select (select count(*) from webhook_inbox where state in ('received', 'parked') and available_at <= ${at})
          + (2 - (select count(distinct name) from job_runs
                  where name in ('poll', 'send-requested') and status <> 'running' and window_at >= ${window})) as work`,
  );
  return Number(row?.['work']);
}

/** In the morning finance writes files, and the queue sends what they hold. */
async function writePlans({ installation, plan }: Month, day: number): Promise<void> {
  const payments = plan.queued.get(day) ?? [];
  if (payments.length > 0) {
    const head =
      'reference,amount_millimes,kind,agent_id,client_id,accept_card,session_timeout_secs,success_link,fail_link';
    const file = installation.file(`payments-${day}.csv`, [head, ...payments.map(paymentLine)].join('\n'));
    await installation.json(['payments', 'create', '--file', file]);
  }
  const subscriptions = plan.subscriptions.get(day) ?? [];
  if (subscriptions.length > 0) {
    const head =
      'reference,amount_millimes,interval,interval_count,name,description,agent_id,client_id,max_cycles,session_timeout_secs,success_link,fail_link';
    const file = installation.file(
      `subscriptions-${day}.csv`,
      [head, ...subscriptions.map(subscriptionLine)].join('\n'),
    );
    await installation.json(['subscriptions', 'create', '--file', file]);
  }
}

function paymentLine({ reference, amountMillimes, what, agentId }: MonthAction): string {
  const acceptCard = 'acceptCard' in what && what.acceptCard;
  const clientId = what.kind === 'binding' ? `client-${reference}` : '';
  return [reference, amountMillimes, what.kind, agentId ?? '', clientId, acceptCard, '', '', ''].join(',');
}

function subscriptionLine({ reference, amountMillimes, interval, maxCycles }: PlannedSubscription): string {
  return [reference, amountMillimes, interval, '', `Plan ${reference}`, '', '', '', maxCycles ?? '', '', '', ''].join(
    ',',
  );
}

async function act(month: Month, { what, amountMillimes, reference, agentId }: MonthAction): Promise<void> {
  const { payments, paymentChannels } = month.millime;
  const common = { amountMillimes, reference, agentId };
  switch (what.kind) {
    case 'standard':
    case 'binding':
    case 'preauthorization':
      await payments.create({ ...common, kind: what.kind, acceptCard: what.acceptCard }, ACT);
      return;
    case 'split': {
      const destination = [{ amountMillimes: Math.floor(amountMillimes / 3), destination: '0042' }];
      await payments.create({ ...common, kind: 'split', acceptCard: what.acceptCard, destination }, ACT);
      return;
    }
    case 'pos': {
      const terminal = { idTerminal: 'T-1', serialNumber: 'SN-1', paymentMethod: what.method };
      await paymentChannels.startPos({ ...common, ...terminal }, ACT);
      return;
    }
    case 'qr': {
      const made = await paymentChannels.createQr({ ...common, merchantId: MERCHANT_ID }, ACT);
      if (what.payments < 2 || made.kind !== 'created') return;
      payQr(month.gateway.running.simulator.simulation, made.payment.gatewayId ?? '', { channel: 'mpayment' });
      return;
    }
    case 'wallet': {
      const account = { phoneNumber: '21620000001', trackingId: '5e0c1d3a-6b1f-4d0e-9a01-000000000001' };
      await paymentChannels.payFromWallet({ ...account, amountMillimes: 1_000, product: 'TOPUP', reference }, ACT);
      return;
    }
  }
}

const AT_NOON_MS = 12 * HOUR_MS;
const AT_FOUR_MS = 16 * HOUR_MS;

/** What people decide in the course of a day: captures, cancels, refunds; and what happens without us. */
async function people(month: Month, sinceMidnightMs: number, random: Random): Promise<void> {
  if (sinceMidnightMs === AT_NOON_MS) {
    await payElsewhere(month);
    await spoilVerifies(month, random);
    await steerSubscriptions(month, random);
  }
  if (sinceMidnightMs === AT_FOUR_MS) {
    await endHolds(month, random);
    await refundSome(month, random);
  }
}

/** A code that another program of the merchant made: only the history tells us. */
async function payElsewhere({ gateway, now }: Month): Promise<void> {
  const client = aClientOf(gateway.running);
  await client.qr.generate({ amountMillimes: 7_700 + (now % 1_000), merchantId: MERCHANT_ID });
}

async function spoilVerifies({ gateway }: Month, random: Random): Promise<void> {
  const kind = random.oneOf(['garbage', 'html_502', 'truncated_json', 'reset_before', 'cut_mid_body']);
  await control(gateway, '/faults', { operation: 'payments.verify', fault: { kind }, times: 2 });
}

async function steerSubscriptions({ gateway, millime }: Month, random: Random): Promise<void> {
  const { rows: active } = await millime.subscriptions.list({ status: 'active', limit: 500 });
  if (active.length === 0) return;
  const one = random.oneOf(active);
  const path = `/subscriptions/${one.subscriptionId ?? ''}`;
  const choice = random.below(4);
  if (choice === 0) await control(gateway, `${path}/cancel`, { initiator: 'merchant' });
  if (choice === 1) await control(gateway, `${path}/cancel`, { initiator: 'customer', atPeriodEnd: true });
  if (choice === 2) await control(gateway, `${path}/close-wallet`, {});
  if (choice === 3) await control(gateway, `${path}/fail-next-renewal`, { times: 5 });
}

async function endHolds({ millime: { payments } }: Month, random: Random): Promise<void> {
  const held = await payments.list({ kinds: ['preauthorization'], status: 'PREAUTH_SUCCESS', limit: 500 });
  for (const { trackingId, amount } of held) {
    const choice = random.below(4);
    if (choice === 0) await payments.cancel(trackingId, ACT);
    if (choice === 1) await payments.capture(trackingId, Math.ceil(amount / 2), ACT);
    if (choice === 2) await payments.capture(trackingId, undefined, ACT);
  }
}

async function refundSome({ millime: { payments } }: Month, random: Random): Promise<void> {
  const paid = await payments.list({ kinds: ['standard', 'split'], status: 'SUCCESS', limit: 500 });
  const refundable = paid.filter(
    ({ itemId, settlementStatus }) => itemId !== undefined && settlementStatus !== 'NOT_APPLICABLE',
  );
  if (refundable.length === 0) return;
  await payments.refund(random.oneOf(refundable).trackingId, ACT);
}

async function control({ running }: WatchedGateway, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${running.baseUrl}/_simulator${path}`, { method: 'POST', body: JSON.stringify(body) });
  // What the state of a subscription no longer allows is refused: people try that too.
  if (response.status >= 500) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

/** The first instant of a day in Tunis, which is an hour before UTC's. */
export function startOf(day: string): number {
  const instant = parseInstant(`${day}T00:00:00+01:00`);
  if (instant === undefined) throw new Error(`not a day: ${day}`);
  return instant;
}
