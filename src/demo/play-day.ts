import { z } from 'zod';
import { AppError, counted, type Instant, MINUTE_MS } from '../kernel';
import { demoInstant, FIRST_DAY } from './demo-calendar';
import { type Act, type DayPlan, type DemoPlan } from './demo-plan';
import { checkoutFile, subscriptionFile } from './plan-files';
import { madeShape, planShape, pollShape, refundShape } from './shapes';
import { moveTo, type Stage, writeInput } from './stage';

const MORNING = '09:30';
/**
 * Customers first pay their subscriptions at this time, so each later charge has it too. Its webhook follows within a
 * minute.
 */
const FIRST_CHARGES = '10:00';
const CHARGES_TOLD = '10:01';
const AFTERNOON = '15:00';
/**
 * The limit on the rounds of status checks. There is one round a minute, because the gateway limits the checks of a
 * minute.
 */
const CHECK_ROUNDS_MAX = 10;

/** Counts of one day, from the output of its commands. */
export interface DayTold {
  sent: number;
  webhooks: number;
  checks: number;
  /** The number of confirms by the code of their answer. */
  readonly codes: Map<string, number>;
}

const answered = z.object({ kind: z.string(), code: z.string().optional() });
const paymentsOpen = z.object({
  payments: z.array(
    z.object({
      paymentId: z.string(),
      status: z.string(),
      amountMillimes: z.int(),
      subscriptionId: z.string().nullable(),
    }),
  ),
});
const terminals = z.object({
  transactions: z.array(z.object({ serviceTransactionId: z.string(), status: z.string() })),
});
const codes = z.object({ codes: z.array(z.object({ operationUuid: z.string() })) });

/**
 * Plays one day. In the morning finance sends payment links; then customers and agents pay. At 16:00 the gateway pays
 * out. Twice a day Millime checks due statuses.
 */
export async function playDay(stage: Stage, plan: DemoPlan, day: DayPlan): Promise<DayTold> {
  const told: DayTold = { sent: 0, webhooks: 0, checks: 0, codes: new Map() };
  if (day.isWorkingDay) {
    await moveTo(stage, demoInstant(day.date, MORNING));
    await sendPlans(stage, plan, day);
    await checkStatuses(stage, told);
  }
  await moveTo(stage, demoInstant(day.date, FIRST_CHARGES));
  if (day.date === FIRST_DAY) await payFirstCharges(stage);
  await moveTo(stage, demoInstant(day.date, CHARGES_TOLD));
  const noon = day.acts.filter(({ time }) => time < AFTERNOON);
  for (const act of noon) await play(stage, day, act, told);
  if (day.isWorkingDay) {
    await moveTo(stage, demoInstant(day.date, AFTERNOON));
    await checkStatuses(stage, told);
  }
  for (const act of day.acts.slice(noon.length)) await play(stage, day, act, told);
  return told;
}

/** Sends queued requests, processes webhooks and checks statuses until nothing is due. */
export async function checkStatuses(stage: Stage, told: Pick<DayTold, 'sent' | 'webhooks' | 'checks'>): Promise<void> {
  for (let round = 1; round <= CHECK_ROUNDS_MAX; round += 1) {
    const { webhooks, looked, failed, left, queue } = await stage.millime.json(pollShape, ['poll', '--send']);
    const waiting = (queue?.payments.left ?? 0) + (queue?.subscriptions.left ?? 0);
    if (failed > 0) throw new AppError('internal', `failed: ${counted(failed, 'status check')}`);
    told.sent += (queue?.payments.sent ?? 0) + (queue?.subscriptions.sent ?? 0);
    told.webhooks += webhooks;
    told.checks += looked;
    if (left + waiting === 0) return;
    await moveTo(stage, stage.now + MINUTE_MS);
  }
  throw new AppError('internal', `${CHECK_ROUNDS_MAX} rounds of status checks were not enough`);
}

async function sendPlans(stage: Stage, plan: DemoPlan, day: DayPlan): Promise<void> {
  const { millime } = stage;
  const checkouts = writeInput(stage, `payments-${day.date}.csv`, checkoutFile(day));
  await millime.json(planShape, ['payments', 'create', '--file', checkouts]);
  if (day.date !== FIRST_DAY) return;
  const subscriptions = writeInput(stage, 'subscriptions.csv', subscriptionFile(plan));
  await millime.json(planShape, ['subscriptions', 'create', '--file', subscriptions]);
}

async function payFirstCharges({ gateway }: Stage): Promise<void> {
  const { payments } = await gateway.get(paymentsOpen, '/payments');
  for (const { paymentId, subscriptionId } of payments) {
    if (subscriptionId !== null) await gateway.post(z.unknown(), `/payments/${paymentId}/pay`, { type: 'wallet' });
  }
}

async function play(stage: Stage, day: DayPlan, act: Act, told: DayTold): Promise<void> {
  const { gateway, millime } = stage;
  await moveTo(stage, later(stage.now, demoInstant(day.date, act.time)));
  switch (act.kind) {
    case 'confirm': {
      const { transactionId, agentId, amountMillimes, replyIsLost } = act;
      const fault = replyIsLost ? { fault: 'lose_reply' } : {};
      await confirm(stage, told, { transactionId, agentId, amountMillimes, ...fault });
      return;
    }
    case 'turned_away': {
      const { transactionId, agentId, amountMillimes } = act;
      await confirm(stage, told, { transactionId, agentId, amountMillimes });
      return;
    }
    case 'pay':
      await gateway.post(z.unknown(), `/payments/${await paymentOf(stage, act.amountMillimes)}/pay`, { type: act.by });
      return;
    case 'refused_by_bank':
      await gateway.post(z.unknown(), `/payments/${await paymentOf(stage, act.amountMillimes)}/fail`, { type: 'card' });
      return;
    case 'terminal': {
      const terminal = ['--terminal', 'T-1', '--serial', 'SN-1', '--method', 'CARD', '--reference', act.reference];
      await millime.json(madeShape, ['pos', 'start', ...terminal, ...amountOf(act)]);
      const { transactions } = await gateway.get(terminals, '/pos');
      const started = transactions.findLast(({ status }) => status === 'PP');
      await gateway.post(z.unknown(), `/pos/${started?.serviceTransactionId ?? ''}/finish`, { status: 'PS' });
      return;
    }
    case 'code': {
      await millime.json(madeShape, ['qr', 'create', '--reference', act.reference, ...amountOf(act)]);
      const { codes: made } = await gateway.get(codes, '/qr');
      await gateway.post(z.unknown(), `/qr/${made.at(-1)?.operationUuid ?? ''}/pay`, {});
      return;
    }
    case 'refund':
      await millime.json(refundShape, ['payments', 'refund', act.reference]);
      return;
  }
}

/** Sends a confirm as the gateway does, and repeats it until an answer arrives. */
async function confirm(
  { gateway, serviceUrl, token }: Stage,
  told: Pick<DayTold, 'codes'>,
  payment: { transactionId: string; agentId: string; amountMillimes: number; fault?: string },
): Promise<void> {
  const body = { baseUrl: serviceUrl, token, untilKnown: true, ...payment };
  const { kind, code = kind } = await gateway.post(answered, '/agents/confirm', body);
  told.codes.set(code, (told.codes.get(code) ?? 0) + 1);
}

function amountOf({ amountMillimes }: { readonly amountMillimes: number }): string[] {
  return ['--amount', String(amountMillimes)];
}

/** Finds the open payment by its amount, which is unique. */
async function paymentOf({ gateway }: Stage, amountMillimes: number): Promise<string> {
  const { payments } = await gateway.get(paymentsOpen, '/payments');
  const found = payments.find((each) => each.status === 'PENDING' && each.amountMillimes === amountMillimes);
  if (found === undefined) throw new AppError('internal', `no open payment of ${amountMillimes} millimes`);
  return found.paymentId;
}

/** Returns the later of two instants, because a round of status checks may have passed the planned time. */
function later(one: Instant, other: Instant): Instant {
  return Math.max(one, other);
}
