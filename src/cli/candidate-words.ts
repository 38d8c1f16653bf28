import {
  type BusinessCalendar,
  formatDinars,
  formatProbability,
  formatRate,
  type Millimes,
  shownText,
} from '../kernel';
import { type Candidate, type Objection, objectionText } from '../payout-inference';
import type { CreditCandidate } from '../reconciliation';
import { colon, isTranslated, t } from './language';

/** One hundredth of a percent, in parts per million. */
const PPM_PER_STEP = 100;
const STEPS = 10_000;
const DIFFERING_SHOWN_MAX = 5;
/** Each objection has some of them. */
const NO_FACTS: { probability?: number; items?: number; itemId?: string; amount?: number } = {};

type ShownCandidate = Pick<
  Candidate | CreditCandidate,
  'probability' | 'itemCount' | 'gross' | 'fee' | 'tva' | 'difference' | 'cut' | 'adds' | 'lacks' | 'against'
>;

/** Returns a candidate for people: its sums, its probability, the objections to it, and how it differs. */
export function candidateLines(
  { probability, itemCount, gross, fee, tva, difference, cut, adds, lacks, against }: ShownCandidate,
  rank: number,
  calendar: Pick<BusinessCalendar, 'formatLocal'>,
): string[] {
  const differing = [...differingWords(adds, 'cli:credit.more'), ...differingWords(lacks, 'cli:credit.fewer')];
  const sums = sumsText({ fee, tva, difference, cut: cutWords(cut, calendar) });
  return [
    colon(
      t('cli:credit.candidate', { rank }),
      `${t('cli:count.item', { count: itemCount })}, ${formatDinars(gross)}, ${sums}`,
    ),
    `  ${colon(t('cli:credit.probability'), probability === undefined ? t('cli:credit.unknown') : probabilityWords(probability))}`,
    ...against.map((objection) => `  ${colon(t('cli:credit.against'), shownText(againstText(objection)))}`),
    ...(differing.length === 0 ? [] : [`  ${colon(t('cli:credit.compared'), differing.join(', '))}`]),
  ];
}

/** Returns an objection: in French the sentence of the pages. */
function againstText(objection: Objection): string {
  if (!isTranslated()) return objectionText(objection);
  const { code, probability = 0, items = 0, itemId = '', amount = 0 } = { ...NO_FACTS, ...objection };
  return t(`credits:against.${code}`, {
    ...{ probability: formatProbability(probability), items, count: items },
    ...{ item: itemId, amount: formatDinars(BigInt(amount)) },
  });
}

/** Returns a probability that is never rounded up: 0.99999 is `99,99 %`. */
function probabilityWords(probability: number): string {
  return formatRate(Math.floor(probability * STEPS) * PPM_PER_STEP);
}

function differingWords({ count, itemIds }: Candidate['adds'], key: 'cli:credit.more' | 'cli:credit.fewer'): string[] {
  if (count === 0) return [];
  const shown = itemIds.slice(0, DIFFERING_SHOWN_MAX).map(shownText).join(', ');
  return [`${t(key, { items: t('cli:count.item', { count }) })} (${shown}${count > DIFFERING_SHOWN_MAX ? ', …' : ''})`];
}

/** Returns the end of a cut with a comma behind it; an empty text if no cut is known. */
export function cutWords(cut: CreditCandidate['cut'], { formatLocal }: Pick<BusinessCalendar, 'formatLocal'>): string {
  return cut?.until === undefined ? '' : `${t('cli:credit.cut', { until: formatLocal(cut.until) })}, `;
}

interface Sums {
  readonly fee: Millimes | bigint;
  readonly tva: Millimes | bigint;
  readonly difference: Millimes | bigint;
  /** The end of the cut, with a comma behind it. */
  readonly cut?: string;
}

/** Returns the fees of a set of items, and how it differs from the credit. */
export function sumsText({ fee, tva, difference, cut = '' }: Sums): string {
  const fees = t('cli:credit.fees', { fee: formatDinars(fee), tva: formatDinars(tva) });
  return `${fees}, ${cut}${t('cli:credit.difference', { amount: formatDinars(difference) })}`;
}
