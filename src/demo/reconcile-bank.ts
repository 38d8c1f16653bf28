import { z } from 'zod';
import { formatDinars, type BusinessDate } from '../kernel';
import { feesShape, importShape, reconcileShape, type CreditSaid, type Reconciled } from './shapes';
import { writeInput, type Stage } from './stage';

const EXIT_DONE = 0;
const EXIT_BREAKS = 3;

const truth = z.object({ lines: z.array(z.object({ cause: z.string(), item_ids: z.array(z.string()) })) });

/** Fetches the bank's file of some days, imports it, and explains what is in it. */
export async function reconcileBank(stage: Stage, from: BusinessDate, through: BusinessDate): Promise<Reconciled> {
  const { gateway, millime, story } = stage;
  const bytes = await gateway.file(`/bank-statement?format=camt053&from=${from}&through=${through}`);
  const { statements } = await millime.json(importShape, [
    ...['statements', 'import', writeInput(stage, `bank-${through}.xml`, bytes)],
  ]);
  for (const { verdict, entries, credits } of statements) {
    story.line(`bank file of ${from} to ${through}: ${entries} lines, credits of ${credits} TND, balances ${verdict}`);
  }
  const said = await millime.json(reconcileShape, ['reconcile', '--through', through], [EXIT_DONE, EXIT_BREAKS]);
  for (const credit of said.credits) story.line(creditText(credit));
  story.line(`verdict ${said.verdict}: ${formatDinars(said.matchedMillimes)} explained,`);
  story.line(`  ${formatDinars(said.pendingMillimes)} on the way, ${said.breaks.length} breaks`);
  return said;
}

/** What nobody told Millime: how the gateway pays, and what it keeps. */
export async function printLearned({ millime, story }: Stage, { model }: Reconciled): Promise<void> {
  story.line(`the gateway seems to pay by ${model ?? 'nothing known'}, and to keep:`);
  const schedule = (await millime.json(feesShape, ['reconcile', 'fees'])).at(-1);
  if (schedule === undefined) return;
  for (const { channel, rate_ppm, fixed_millimes, tva_ppm, basis } of schedule.fees) {
    const fee = `${rate_ppm} ppm + ${fixed_millimes} millimes, TVA ${tva_ppm} ppm`;
    story.line(`  ${channel}: ${fee}, per ${basis} (${schedule.state} from ${schedule.credits.length} credits)`);
  }
}

/**
 * How many of the explained credits pay exactly the items that the simulated gateway really paid by one transfer. Millime
 * never sees that file.
 */
export async function countTrue({ gateway }: Stage, { credits }: Reconciled): Promise<number> {
  const { lines } = await gateway.get(truth, '/truth.json');
  const paid = new Set(lines.filter(({ cause }) => cause !== 'unrelated').map(({ item_ids }) => setText(item_ids)));
  return credits.filter(({ outcome, item_ids }) => outcome === 'resolved' && paid.has(setText(item_ids))).length;
}

function setText(ids: readonly string[]): string {
  return [...ids].sort().join(' ');
}

function creditText({ outcome, item_ids, gross_millimes, fee_millimes, tva_millimes, ...rest }: CreditSaid): string {
  if (outcome !== 'resolved') return `credit ${outcome}`;
  const kept = `less ${formatDinars(fee_millimes)} and TVA ${formatDinars(tva_millimes)}`;
  const evidence = `${rest.evidence ?? 'no evidence'}, may be wrong by ${rest.claimed_error?.toExponential(1) ?? '?'}`;
  return `credit: ${item_ids.length} items, ${formatDinars(gross_millimes)} ${kept}; ${evidence}`;
}
