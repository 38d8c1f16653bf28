import { z } from 'zod';
import type { BreakWorkflow } from '../breaks';
import type { Identity } from '../identity';
import { addDays, AppError, counted } from '../kernel';
import { demoInstant, LAST_DAY } from './demo-calendar';
import type { DayPlan } from './demo-plan';
import { actorOf, type DemoUser } from './people';
import { checkStatuses, playDay } from './play-day';
import { EXIT_BREAKS, reconcileBank } from './reconcile-bank';
import { breaksShape, reconcileShape } from './shapes';
import { moveTo, type Stage } from './stage';
import { breakText } from './work-break';

const FIRST_OPEN_DAY = addDays(LAST_DAY, 1);
const LAST_OPEN_DAY = addDays(LAST_DAY, 2);
const OUTSIDE_TIME = '14:00';
const BANK_TIME = '18:30';
const NEXT_MORNING = '08:00';

/** An agent who is in no list of agents: the break stays open. */
const TURNED_AWAY = { kind: 'turned_away', transactionId: 'DEMO-STRANGER', agentId: 'AG-3007' } as const;
/** A payment that another program of the merchant created, so that Millime cannot explain its credit. */
const OUTSIDE_PAYMENT = {
  amount: '87300',
  success_link: 'https://shop.example/yes',
  fail_link: 'https://shop.example/no',
};
const REASON = 'the branch in Sousse confirmed that it has the money; its agent will not be enrolled';

const DAYS: readonly DayPlan[] = [
  {
    ...{ date: FIRST_OPEN_DAY, isWorkingDay: true },
    acts: [
      confirmed('10:20', '004711', 64_100),
      { kind: 'pay', by: 'wallet', reference: 'OPEN-1-WALLET', time: '11:10', amountMillimes: 118_900 },
      { ...TURNED_AWAY, time: '12:40', amountMillimes: 96_400 },
      { kind: 'refused_by_bank', reference: 'OPEN-1-REFUSED', time: '12:50', amountMillimes: 33_500 },
    ],
  },
  {
    ...{ date: LAST_OPEN_DAY, isWorkingDay: true },
    acts: [
      confirmed('10:40', '20145678', 152_700),
      { kind: 'pay', by: 'card', reference: 'OPEN-2-CARD', time: '11:20', amountMillimes: 71_800 },
      { kind: 'pay', by: 'mpayment', reference: 'OPEN-2-MPAYMENT', time: '13:30', amountMillimes: 45_200 },
    ],
  },
];

const createdPayment = z.object({ result: z.object({ payment_id: z.string() }) });

/**
 * Plays two more days and closes none, so that the pages of the console show work: a credit that Millime cannot
 * explain, and a break. It is then the morning after.
 */
export async function playOpenDays(stage: Stage): Promise<void> {
  const { story, millime } = stage;
  story.step(`${FIRST_OPEN_DAY} through ${LAST_OPEN_DAY}: two days that stay open`);
  for (const day of DAYS) {
    const told = await playDay(stage, { days: DAYS, subscriptions: [] }, day);
    if (day.date === FIRST_OPEN_DAY) await payOutside(stage);
    await moveTo(stage, demoInstant(day.date, BANK_TIME));
    await checkStatuses(stage, told);
  }
  await reconcileBank(stage, FIRST_OPEN_DAY, LAST_OPEN_DAY);
  await moveTo(stage, demoInstant(addDays(LAST_OPEN_DAY, 1), NEXT_MORNING));
  // The last run covered a part of its day; this one covers the whole day.
  const { verdict } = await millime.json(reconcileShape, ['reconcile'], [EXIT_BREAKS]);
  story.line(`reconciled again: ${story.word('verdict', verdict)}`);
  const open = await millime.json(breaksShape, ['breaks', 'list']);
  for (const each of open) story.line(breakText(each, story));
  story.line(`${counted(open.length, 'break')} left`);
}

function confirmed(time: string, agentId: string, amountMillimes: number): DayPlan['acts'][number] {
  return {
    ...{ kind: 'confirm', transactionId: `DEMO-OPEN-${agentId}`, agentId, replyIsLost: false },
    ...{ time, amountMillimes },
  };
}

/** Lets a customer pay a link that Millime did not create. */
async function payOutside(stage: Stage): Promise<void> {
  await moveTo(stage, Math.max(stage.now, demoInstant(FIRST_OPEN_DAY, OUTSIDE_TIME)));
  const created = await stage.gateway.call(createdPayment, '/api/v2/generate_payment', OUTSIDE_PAYMENT);
  await stage.gateway.post(z.unknown(), `/payments/${created.result.payment_id}/pay`, { type: 'wallet' });
}

/** Proposes a decision as a person of finance, for another person to approve. */
export async function proposeDecision(
  stage: Stage,
  { identity, breakWorkflow }: { readonly identity: Identity; readonly breakWorkflow: BreakWorkflow },
  finance: DemoUser,
): Promise<void> {
  const open = await stage.millime.json(breaksShape, ['breaks', 'list']);
  const turnedAway = open.find((each) => each.class === 'paid_but_rejected');
  if (turnedAway === undefined) throw new AppError('internal', 'the rejected payment opened no break');
  const actor = await actorOf(identity, finance);
  const action = { kind: 'accept', payload: {} };
  await breakWorkflow.propose({
    about: { breakId: turnedAway.id },
    ...{ action, reason: stage.story.say(REASON), actor, dryRun: false },
  });
}
