import { z } from 'zod';
import { type BusinessDate, counted, formatDinars, formatProbability, formatRate, millimes } from '../kernel';
import { type CreditSaid, feesShape, importShape, type Reconciled, reconcileShape } from './shapes';
import { type Stage, writeInput } from './stage';
import type { Story } from './story';

const EXIT_DONE = 0;
export const EXIT_BREAKS = 3;

const truth = z.object({ lines: z.array(z.object({ cause: z.string(), item_ids: z.array(z.string()) })) });

/** Fetches the bank file of some days, imports it and reconciles. */
export async function reconcileBank(stage: Stage, from: BusinessDate, through: BusinessDate): Promise<Reconciled> {
  const { gateway, millime, story } = stage;
  const bytes = await gateway.file(`/bank-statement?format=camt053&from=${from}&through=${through}`);
  const { statements } = await millime.json(importShape, [
    ...['statements', 'import', writeInput(stage, `bank-${through}.xml`, bytes)],
  ]);
  for (const { verdict, entries, credits } of statements) {
    story.line(
      `bank file of ${from} through ${through}: ${counted(entries, 'line')}, credits ${formatDinars(credits)}, balances ${story.word('statementVerdict', verdict)}`,
    );
  }
  const said = await millime.json(reconcileShape, ['reconcile', '--through', through], [EXIT_DONE, EXIT_BREAKS]);
  for (const credit of said.credits) story.line(creditText(credit, story));
  story.line(`verdict ${story.word('verdict', said.verdict)}: ${formatDinars(said.matchedMillimes)} matched,`);
  story.line(`  ${formatDinars(said.pendingMillimes)} in transit, ${counted(said.breaks.length, 'break')}`);
  return said;
}

/** Prints the payout model and the fees that Millime inferred. */
export async function printLearned({ millime, story }: Stage, { model }: Reconciled): Promise<void> {
  const { say, word } = story;
  const name = model === null ? 'none' : word('payoutModel', model);
  story.line(`inferred payout model: ${name}; inferred fees:`);
  const schedule = (await millime.json(feesShape, ['reconcile', 'fees'])).at(-1);
  if (schedule === undefined) return;
  const source = say(`${word('feeState', schedule.state)} from ${counted(schedule.credits.length, 'credit')}`);
  for (const { channel, rate_ppm, fixed_millimes, tva_ppm, basis } of schedule.fees) {
    const fee = `${formatRate(rate_ppm)} + ${formatDinars(millimes(fixed_millimes))}, TVA ${formatRate(tva_ppm)}`;
    story.line(`  ${word('channel', channel)}: ${fee}, per ${word('feeBasis', basis)} (${source})`);
  }
}

/**
 * Counts the matched credits whose items are exactly the payments of one simulated transfer. Millime never sees the
 * simulator's records.
 */
export async function countTrue({ gateway }: Stage, { credits }: Reconciled): Promise<number> {
  const { lines } = await gateway.get(truth, '/truth.json');
  const paid = new Set(lines.filter(({ cause }) => cause !== 'unrelated').map(({ item_ids }) => setText(item_ids)));
  return credits.filter(({ outcome, item_ids }) => outcome === 'resolved' && paid.has(setText(item_ids))).length;
}

function setText(ids: readonly string[]): string {
  return [...ids].sort().join(' ');
}

function creditText(credit: CreditSaid, { word }: Pick<Story, 'word'>): string {
  const { outcome, item_ids, gross_millimes, fee_millimes, tva_millimes, ...rest } = credit;
  if (outcome !== 'resolved') return `credit ${word('creditAnswer', outcome)}`;
  const kept = `less ${formatDinars(fee_millimes)} and TVA ${formatDinars(tva_millimes)}`;
  const error = rest.claimed_error === null ? 'unknown' : formatProbability(rest.claimed_error);
  const evidence = `${rest.evidence === null ? 'no evidence' : word('evidence', rest.evidence)}, claimed error ${error}`;
  return `credit: ${counted(item_ids.length, 'item')}, ${formatDinars(gross_millimes)} ${kept}; ${evidence}`;
}
