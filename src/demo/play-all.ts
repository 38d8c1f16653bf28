import { join } from 'node:path';
import { addDays, AppError, type BusinessDate, counted, formatDinars, PACKAGE_ROOT } from '../kernel';
import { closeDays, verifyBooks, writeReport } from './close-books';
import { BANK_DAYS, demoInstant, FIRST_DAY, LAST_DAY } from './demo-calendar';
import { type DemoPlan, planDemo } from './demo-plan';
import { checkStatuses, type DayTold, playDay } from './play-day';
import { countTrue, printLearned, reconcileBank } from './reconcile-bank';
import { type Reconciled, reconcileShape } from './shapes';
import { moveTo, type Stage } from './stage';
import { workBreak } from './work-break';

const BANK_TIME = '18:30';
/** After the last run, so that a replay of the run does not see the work on breaks. */
const BREAKS_TIME = '19:00';
const NEXT_MORNING = '08:00';

/** Plays the whole story and returns the path of the report. @throws AppError `internal` when a check fails. */
export async function playAll(stage: Stage, seed: number): Promise<string> {
  const { story } = stage;
  story.step('enroll the agents and import their dues');
  await enroll(stage);
  const said = await playWeeks(stage, planDemo(seed));
  story.step("compare the inferred payouts and fees with the simulator's records");
  await printLearned(stage, said);
  await checkTrue(stage, said);
  story.step('work on the breaks');
  await moveTo(stage, demoInstant(LAST_DAY, BREAKS_TIME));
  await resolveBreaks(stage);
  story.step(`close every day through ${LAST_DAY}`);
  await moveTo(stage, demoInstant(addDays(LAST_DAY, 1), NEXT_MORNING));
  // The last run covered a part of its day; this one covers the whole day.
  await reconcileAgain(stage);
  await closeDays(stage);
  story.step('verify the ledger');
  await verifyBooks(stage);
  story.step('write the report');
  const report = await writeReport(stage);
  story.line(report);
  return report;
}

async function reconcileAgain({ millime, story }: Stage, ...through: readonly string[]): Promise<void> {
  const result = await millime.json(reconcileShape, ['reconcile', ...through]);
  story.line(
    `reconciled again: ${story.word('verdict', result.verdict)}, ${formatDinars(result.pendingMillimes)} in transit`,
  );
}

async function enroll({ millime, story }: Stage): Promise<void> {
  for (const noun of ['agents', 'dues']) {
    const file = join(PACKAGE_ROOT, 'seeds', 'demo', `${noun}.csv`);
    story.line((await millime.run([noun, 'import', file])).trim());
  }
}

/** Plays the days up to each bank file. Returns the last reconciliation. */
async function playWeeks(stage: Stage, plan: DemoPlan): Promise<Reconciled> {
  let said: Reconciled | undefined;
  let from = FIRST_DAY;
  for (const bankDay of BANK_DAYS) {
    stage.story.step(`${from} through ${bankDay}: customers and agents pay, the gateway pays out at 16:00`);
    await playDays(stage, plan, from, bankDay);
    stage.story.step(`${bankDay}: import the bank file and match its credits`);
    said = await reconcileBank(stage, from, bankDay);
    from = addDays(bankDay, 1);
  }
  if (said === undefined) throw new AppError('internal', 'the bank sent no file');
  return said;
}

async function playDays(stage: Stage, plan: DemoPlan, from: BusinessDate, through: BusinessDate): Promise<void> {
  for (const day of plan.days.filter(({ date }) => date >= from && date <= through)) {
    const told = await playDay(stage, plan, day);
    if (day.date === through) {
      await moveTo(stage, demoInstant(through, BANK_TIME));
      await checkStatuses(stage, told);
    }
    stage.story.line(dayText(day.date, told, stage.story));
  }
}

function dayText(date: BusinessDate, { sent, checks, webhooks, codes }: DayTold, { say }: Stage['story']): string {
  const confirms = [...codes].sort().map(([code, count]) => say(`${count} answered ${code}`));
  const counts = [counted(sent, 'link'), counted(webhooks, 'webhook'), counted(checks, 'status check')].join(', ');
  return `${date}: ${counts}, confirms: ${confirms.join(', ') || 'none'}`;
}

/** Checks that every credit is matched to the payments that the simulator recorded for it. */
async function checkTrue(stage: Stage, said: Reconciled): Promise<void> {
  const right = await countTrue(stage, said);
  const { length } = said.credits;
  if (right !== length || length === 0) {
    throw new AppError('internal', `matched correctly: ${right} of ${counted(length, 'credit')}`);
  }
  stage.story.line(`all match: ${counted(length, 'credit')} pay the items in records that Millime never sees`);
}

async function resolveBreaks(stage: Stage): Promise<void> {
  const left = await workBreak(stage);
  if (left > 0) throw new AppError('internal', `unresolved: ${counted(left, 'break')}`);
  // Accepts only exit code 0: nothing waits for manual review.
  await reconcileAgain(stage, '--through', LAST_DAY);
}
