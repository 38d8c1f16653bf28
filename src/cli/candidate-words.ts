import { type BusinessCalendar, formatDinars, formatRate, shownText } from '../kernel';
import { type Candidate, objectionText } from '../payout-inference';
import type { CreditCandidate } from '../reconciliation';
import { t } from './language';

/** One hundredth of a percent, in parts per million. */
const PPM_PER_STEP = 100;
const STEPS = 10_000;
const DIFFERING_SHOWN_MAX = 5;

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
  const differing = [...differingWords(adds, 'more'), ...differingWords(lacks, 'fewer')];
  return [
    `candidate ${rank}: ${t('cli:count.item', { count: itemCount })}, ${formatDinars(gross)}, fees ${formatDinars(fee)}, ` +
      `TVA ${formatDinars(tva)}, ${cutWords(cut, calendar)}difference ${formatDinars(difference)}`,
    `  probability: ${probability === undefined ? 'unknown' : probabilityWords(probability)}`,
    ...against.map((objection) => `  against it: ${shownText(objectionText(objection))}`),
    ...(differing.length === 0 ? [] : [`  compared with candidate 1: ${differing.join(', ')}`]),
  ];
}

/** Returns a probability that is never rounded up: 0.99999 is `99,99 %`. */
function probabilityWords(probability: number): string {
  return formatRate(Math.floor(probability * STEPS) * PPM_PER_STEP);
}

function differingWords({ count, itemIds }: Candidate['adds'], word: string): string[] {
  if (count === 0) return [];
  const shown = itemIds.slice(0, DIFFERING_SHOWN_MAX).map(shownText).join(', ');
  return [`${t('cli:count.item', { count })} ${word} (${shown}${count > DIFFERING_SHOWN_MAX ? ', …' : ''})`];
}

/** Returns the end of a cut with a comma behind it; an empty text if no cut is known. */
export function cutWords(cut: CreditCandidate['cut'], { formatLocal }: Pick<BusinessCalendar, 'formatLocal'>): string {
  return cut?.until === undefined ? '' : `cut by ${formatLocal(cut.until)}, `;
}
