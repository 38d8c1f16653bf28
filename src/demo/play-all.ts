import { addDays, AppError, formatDinars, type BusinessDate } from '../kernel';
import { closeDays, verifyBooks, writeReport } from './close-books';
import { BANK_DAYS, demoInstant, FIRST_DAY, LAST_DAY } from './demo-calendar';
import { DEMO_FILES } from './demo-files';
import { planDemo, type DemoPlan } from './demo-plan';
import { look, playDay, type DayTold } from './play-day';
import { countTrue, reconcileBank, printLearned } from './reconcile-bank';
import { reconcileShape, type Reconciled } from './shapes';
import { moveTo, type Stage } from './stage';
import { workBreak } from './work-break';

const BANK_TIME = '18:30';
/** What is done at the desk is done after the run that is known by then, and is not known to its repetition. */
const DESK_TIME = '19:00';
const NEXT_MORNING = '08:00';

/** Plays the whole story, and gives the path of the report. @throws AppError `internal` when something does not add up. */
export async function playAll(stage: Stage, seed: number): Promise<string> {
  const { story } = stage;
  story.step('enrol the agents and what they owe');
  await enroll(stage);
  const said = await playWeeks(stage, planDemo(seed));
  story.step('what nobody told Millime, and whether it is true');
  await printLearned(stage, said);
  await checkTrue(stage, said);
  story.step('the break desk');
  await moveTo(stage, demoInstant(LAST_DAY, DESK_TIME));
  await settleBreaks(stage);
  story.step(`close every day up to ${LAST_DAY}`);
  await moveTo(stage, demoInstant(addDays(LAST_DAY, 1), NEXT_MORNING));
  // The last run looked at a day that went on; without a day given this one looks at all of it.
  await reconcileAgain(stage);
  await closeDays(stage);
  story.step('check the books');
  await verifyBooks(stage);
  story.step('write the report');
  const report = await writeReport(stage);
  story.line(report);
  return report;
}

async function reconcileAgain({ millime, story }: Stage, ...through: readonly string[]): Promise<void> {
  const said = await millime.json(reconcileShape, ['reconcile', ...through]);
  story.line(`reconciled again: ${said.verdict}, ${formatDinars(said.pendingMillimes)} on the way`);
}

async function enroll({ millime, story }: Stage): Promise<void> {
  for (const [noun, file] of Object.entries(DEMO_FILES)) {
    story.line((await millime.run([noun, 'import', file])).trim());
  }
}

/** Plays the days up to each coming of the bank's file. Gives what the last reconciliation said. */
async function playWeeks(stage: Stage, plan: DemoPlan): Promise<Reconciled> {
  let said: Reconciled | undefined;
  let from = FIRST_DAY;
  for (const bankDay of BANK_DAYS) {
    stage.story.step(`${from} to ${bankDay}: customers and agents pay, the gateway pays out at 16:00`);
    await playDays(stage, plan, from, bankDay);
    stage.story.step(`${bankDay}: the bank's file comes, and its credits are explained`);
    said = await reconcileBank(stage, from, bankDay);
    from = addDays(bankDay, 1);
  }
  if (said === undefined) throw new AppError('internal', 'the bank sent nothing');
  return said;
}

async function playDays(stage: Stage, plan: DemoPlan, from: BusinessDate, through: BusinessDate): Promise<void> {
  for (const day of plan.days.filter(({ date }) => date >= from && date <= through)) {
    const told = await playDay(stage, plan, day);
    if (day.date === through) {
      await moveTo(stage, demoInstant(through, BANK_TIME));
      await look(stage, told);
    }
    stage.story.line(dayText(day.date, told));
  }
}

function dayText(date: BusinessDate, { sent, looks, webhooks, codes }: DayTold): string {
  const confirms = [...codes].sort().map(([code, count]) => `${count} answered ${code}`);
  return `${date}: ${sent} links sent, ${webhooks} webhooks, ${looks} looks, confirms: ${confirms.join(', ') || 'none'}`;
}

/** Every credit must be explained, and as the gateway knows that it is. */
async function checkTrue(stage: Stage, said: Reconciled): Promise<void> {
  const right = await countTrue(stage, said);
  const { length } = said.credits;
  if (right !== length || length === 0)
    throw new AppError('internal', `${right} of ${length} credits are explained right`);
  stage.story.line(
    `the simulated gateway's own records, which Millime never sees, say the same of all ${length} credits`,
  );
}

async function settleBreaks(stage: Stage): Promise<void> {
  const left = await workBreak(stage);
  if (left > 0) throw new AppError('internal', `${left} breaks are left`);
  // Exit code 0, the only one that is accepted here, says that nothing is left to people.
  await reconcileAgain(stage, '--through', LAST_DAY);
}
