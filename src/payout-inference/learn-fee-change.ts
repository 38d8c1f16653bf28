import { addDays } from '../kernel';
import { learnFees } from './learn-fees';
import type { StreamAnswer } from './model-answer';
import type { PreparedFile } from './prepare-file';
import { type Learned, learnRequest, rulesOf, SURE, withBest } from './stream-fees';

/** The work of the search for one change, in steps. */
const STEPS_MAX = 20_000_000;

/** Learns a change of fees: the day after the last sure cut of a stream is the first with new terms. */
export function learnFeeChange(file: PreparedFile, before: Learned): Learned | undefined {
  let best: Learned | undefined;
  for (const stream of before.answer.streams) {
    const learned = changeOf(file, before, stream);
    if (learned !== undefined && learned.answer.logEvidence > (best ?? before).answer.logEvidence) best = learned;
  }
  return best;
}

function changeOf(file: PreparedFile, before: Learned, stream: StreamAnswer): Learned | undefined {
  const sure = stream.weighed.links.filter(({ share }) => share > SURE);
  const [first, ...others] = sure;
  if (first === undefined) return undefined;
  const last = others.reduce((latest, link) => (link.to > latest.to ? link : latest), first);
  const explained = new Set(sure.map(({ credit }) => credit.index));
  const credits = file.credits.filter(({ latest, index }) => latest > last.cutFrom && !explained.has(index));
  const request = learnRequest(file, stream, { credits, budget: { left: STEPS_MAX }, starts: [last.to] });
  const from = addDays(file.grid.dateOf(file.grid.dayOf(last.cutFrom)), 1);
  const { rules, clawback } = before.answer.hypothesis.fees;
  for (const found of learnFees(request)) {
    const candidates = found.map((terms) => ({
      request,
      fees: { clawback, rules: [...rules, ...rulesOf(terms).map((rule) => ({ ...rule, from }))] },
    }));
    const learned = withBest(file, before, candidates);
    if (learned !== undefined) return learned;
  }
  return undefined;
}
