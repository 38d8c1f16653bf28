import { type BusinessCalendar, formatDinars, formatRate, shownText } from '../kernel';
import type { FeeRule, MatchFacts, MatchResult } from '../payout-inference';
import { candidateLines } from './candidate-words';
import { t, word } from './language';

const LABEL_WIDTH = 20;
/** More credits than a person reads; the result has all of them. */
const CREDITS_SHOWN_MAX = 10;

/** Returns the summary of a match for people, one fact per line. */
export function matchSummary(
  facts: MatchFacts,
  result: MatchResult,
  calendar: Pick<BusinessCalendar, 'formatLocal'>,
): string[] {
  const amountOfLine = new Map(facts.lines.map(({ lineId, amount }) => [lineId, amount]));
  return [
    line(t('cli:match.model'), result.model === undefined ? t('cli:match.noModel') : word('payoutModel', result.model)),
    ...feeLines(facts, result),
    ...kindLines(t('cli:match.credits'), result.credits, (sums, { outcome, lineId }) =>
      sums.add(word('creditAnswer', outcome), amountOfLine.get(lineId) ?? 0),
    ),
    // The items of the result are in the order of the input.
    ...kindLines(t('cli:match.items'), result.items, (sums, { state }, index) =>
      sums.add(t(`cli:match.state.${state}`), facts.items[index]?.amount ?? 0),
    ),
    ...kindLines(t('cli:match.breaks'), result.breaks, (sums, { breakClass, amount }) =>
      sums.add(word('breakClass', breakClass), amount),
    ),
    ...candidatesOfCredits(facts, result, calendar),
  ];
}

/** Returns the candidates of the first credits that are not resolved, and where the others are. */
function candidatesOfCredits(
  { lines }: MatchFacts,
  { credits }: MatchResult,
  calendar: Pick<BusinessCalendar, 'formatLocal'>,
): string[] {
  const open = credits.filter(({ candidates = [] }) => candidates.length > 0);
  if (open.length === 0) return [];
  const lineOf = new Map(lines.map((each) => [each.lineId, each]));
  const hidden = open.length - CREDITS_SHOWN_MAX;
  return [
    ...open.slice(0, CREDITS_SHOWN_MAX).flatMap(({ lineId, outcome, candidates = [] }) => {
      const { bookingDate = '', amount = 0 } = lineOf.get(lineId) ?? {};
      const credit = t('cli:runs.credit', { outcome: word('creditAnswer', outcome) });
      return [
        `${credit}  ${shownText(lineId)}  ${bookingDate}  ${formatDinars(BigInt(amount))}`,
        ...candidates.flatMap((each, index) => candidateLines(each, index + 1, calendar)).map((text) => `  ${text}`),
      ];
    }),
    ...(hidden > 0
      ? [t('cli:match.moreWithCandidates', { credits: t('cli:count.moreCredit', { count: hidden }) })]
      : []),
    t('cli:match.next'),
  ];
}

function feeLines({ fees }: MatchFacts, result: MatchResult): string[] {
  if (result.fees.length === 0) return [line(t('cli:match.fees'), t('cli:match.noFees'))];
  const label = t(fees === undefined ? 'cli:match.feesInferred' : 'cli:match.fees');
  return result.fees.map((rule, index) => line(index > 0 ? '' : label, feeText(rule)));
}

/** Formats a fee rule: `card: 1,5 % + 0,100 DT, TVA 19 %, half_up of each item`. */
export function feeText({ channel, ratePpm, fixedMillimes, tvaPpm, rounding, basis, from }: FeeRule): string {
  const rule = t('cli:fees.rule', {
    ...{ channel: word('channel', channel), rate: formatRate(ratePpm), fixed: formatDinars(fixedMillimes) },
    ...{ tva: formatRate(tvaPpm), rounding: word('feeRounding', rounding), basis: word('feeBasis', basis) },
  });
  return from === undefined ? rule : t('cli:fees.ruleFrom', { rule, day: from });
}

/** Returns the number of rows, and one line per kind. */
function kindLines<Row>(
  label: string,
  rows: readonly Row[],
  add: (sums: KindSums, row: Row, index: number) => void,
): string[] {
  const sums = new KindSums();
  rows.forEach((row, index) => add(sums, row, index));
  return [line(label, String(rows.length)), ...sums.lines()];
}

interface KindSum {
  count: number;
  /** A bigint per row would be slow for a million rows, so one is created only when a number overflows. */
  rest: number;
  sum: bigint;
}

/** Counts rows and sums their amounts by kind. */
class KindSums {
  readonly #sums = new Map<string, KindSum>();

  /** `amount` is a safe integer. */
  add(kind: string, amount: number): void {
    let sums = this.#sums.get(kind);
    if (sums === undefined) this.#sums.set(kind, (sums = { count: 0, rest: 0, sum: 0n }));
    sums.count += 1;
    const rest = sums.rest + amount;
    if (Number.isSafeInteger(rest)) {
      sums.rest = rest;
      return;
    }
    sums.sum += BigInt(sums.rest);
    sums.rest = amount;
  }

  lines(): string[] {
    const sorted = [...this.#sums].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([kind, { count, rest, sum }]) =>
      line(`  ${kind}`, `${count}, ${formatDinars(sum + BigInt(rest))}`),
    );
  }
}

function line(label: string, text: string): string {
  return `${label.padEnd(LABEL_WIDTH)} ${text}`;
}
