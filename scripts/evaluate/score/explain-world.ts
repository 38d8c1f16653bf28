import { counted, formatInstant } from '../../../src/kernel';
import type { InferredCredit } from '../../../src/payout-inference';
import type { TrueLine, World } from '../world';
import type { Engine } from './engine';
import { filesOnly } from './files-only';
import { judgeCredits, type JudgedCredit } from './judge-credits';
import { resolvableLines } from './resolvable';
import { isCutRight } from './score-credits';
import { type TrueBook, trueBook } from './true-book';

const IDS_SHOWN_MAX = 12;

/**
 * Describes one credit of a world, or each: the truth, the engine's answer, and its claimed error. For developers of
 * the engine.
 */
export async function explainWorld(
  world: World,
  engine: Engine,
  { lineId, maxError }: { readonly lineId: string | undefined; readonly maxError: number },
): Promise<string> {
  const { result } = await engine.ask({ files: filesOnly(world.files), maxError });
  const book = trueBook(world);
  const resolvable = resolvableLines(world);
  const judged = judgeCredits(result.credits, book);
  const head = [
    `${world.scenario}:${world.seed}`,
    `model ${world.truth.model ?? 'none'}, stated ${result.model ?? 'none'}`,
    `fees ${JSON.stringify(world.truth.fees)}`,
    `stated ${JSON.stringify(result.fees)}`,
  ];
  const shown = judged.filter(({ credit }) => lineId === undefined || credit.lineId === lineId);
  const credits = shown.map((each) => creditText(each, resolvable.has(each.credit.lineId), world));
  return [...head, ...credits, ...(lineId === undefined ? [] : shown.map((each) => itemsText(each, book)))].join('\n');
}

function creditText(judged: JudgedCredit, isResolvable: boolean, world: World): string {
  const { credit, truth, verdict, why, coreFalse, proposal } = judged;
  const line = world.files.lines.find((each) => each.lineId === credit.lineId);
  return [
    `${credit.lineId} ${line?.bookingDate ?? ''} ${line?.amount ?? ''}`,
    `  truth:  ${truthText(truth)}${isResolvable ? ', resolvable' : ''}`,
    `  engine: ${resultText(credit)} → ${verdict}${why === '' ? '' : `: ${why}`}`,
    ...(verdict === 'exact' && credit.cut !== undefined && !isCutRight(judged)
      ? ['  the stated cut is not the true one']
      : []),
    ...(coreFalse.length > 0 ? [`  false common core: ${listed(coreFalse)}`] : []),
    ...(proposal === 'none' ? [] : [`  proposal of ${counted(credit.proposal.length, 'item')}: ${proposal}`]),
  ].join('\n');
}

function truthText(truth: TrueLine | undefined): string {
  if (truth === undefined) return 'not in the truth';
  const cuts = truth.cuts.map(({ stream, cutAt }) => `${stream} cut ${instantText(cutAt)}`);
  const unknown = truth.unknownMillimes === 0 ? [] : [`${truth.unknownMillimes} millimes unknown`];
  return [truth.kind, counted(truth.itemIds.length, 'item'), ...cuts, ...unknown].join(', ');
}

function resultText({
  outcome,
  itemIds,
  stream,
  evidence,
  claimedError,
  remainder,
  cause,
  cut,
}: InferredCredit): string {
  const cutText = cut === undefined ? 'no cut' : `cut (${instantText(cut.after)}, ${instantText(cut.until)}]`;
  const sure = `claimed error ${claimedError.toExponential(1)}`;
  return [
    outcome,
    counted(itemIds.length, 'item'),
    stream ?? 'no stream',
    cutText,
    evidence ?? 'no evidence',
    sure,
    cause,
  ]
    .concat(remainder === 0 ? [] : [`remainder ${remainder}`])
    .join(', ');
}

function itemsText({ credit, truth }: JudgedCredit, { items, trueItems }: TrueBook): string {
  const stated = new Set([...credit.itemIds, ...credit.proposal]);
  const paid = new Set(truth?.itemIds);
  const different = [...new Set([...stated, ...paid])].filter((itemId) => stated.has(itemId) !== paid.has(itemId));
  const rows = different.slice(0, IDS_SHOWN_MAX).map((itemId) => {
    const available = trueItems.get(itemId)?.availableAt;
    const { amount = '', channel = '' } = items.get(itemId) ?? {};
    const side = paid.has(itemId) ? 'paid, not stated' : 'stated, not paid';
    return `  ${itemId} ${channel} ${amount} ${available === undefined ? '' : instantText(available)} ${side}`;
  });
  const heading = `different: ${counted(different.length, 'item')}${rows.length < different.length ? ', among them' : ''}`;
  return [heading, ...rows].join('\n');
}

function listed(ids: readonly string[]): string {
  return [...ids.slice(0, IDS_SHOWN_MAX), ...(ids.length > IDS_SHOWN_MAX ? ['…'] : [])].join(' ');
}

function instantText(instant: number): string {
  return Number.isFinite(instant) ? formatInstant(instant) : String(instant);
}
