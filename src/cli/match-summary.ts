import { formatDinars } from '../kernel';
import type { FeeRule, MatchFacts, MatchResult } from '../payout-inference';

const PPM_PER_PERCENT = 10_000;
const LABEL_WIDTH = 20;

/** What a person wants to know first, one line for each thing. */
export function matchSummary(facts: MatchFacts, result: MatchResult): string[] {
  const amountOfLine = new Map(facts.lines.map(({ lineId, amount }) => [lineId, amount]));
  return [
    line('payout model', result.model ?? 'none: nothing says that these items were paid to this account'),
    ...feeLines(facts, result),
    ...counted('credits', result.credits, (sums, { outcome, lineId }) =>
      sums.add(outcome, amountOfLine.get(lineId) ?? 0),
    ),
    // The items of the result stand in the order of those that were given.
    ...counted('items', result.items, (sums, { state }, index) => sums.add(state, facts.items[index]?.amount ?? 0)),
    ...counted('breaks', result.breaks, (sums, { breakClass, amount }) => sums.add(breakClass, amount)),
  ];
}

function feeLines({ fees }: MatchFacts, result: MatchResult): string[] {
  if (result.fees.length === 0) return [line('fees', 'none')];
  return result.fees.map((rule, index) => {
    const label = index > 0 ? '' : fees === undefined ? 'fees (inferred)' : 'fees';
    return line(label, feeText(rule));
  });
}

function feeText({ channel, ratePpm, fixedMillimes, tvaPpm, rounding, basis, from }: FeeRule): string {
  const since = from === undefined ? '' : `, from ${from}`;
  const terms = `${percent(ratePpm)} + ${formatDinars(fixedMillimes)}, TVA ${percent(tvaPpm)}`;
  return `${channel}: ${terms}, ${rounding} of each ${basis}${since}`;
}

/** How many there are, and one line for each kind. */
function counted<Row>(
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
  /** A bigint for each of a million rows would take longer than the rows: it is made when a number cannot hold more. */
  rest: number;
  sum: bigint;
}

/** How many there are of each kind, and what they come to. */
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

/** Exact: a ppm is a ten-thousandth of a percent. */
function percent(ppm: number): string {
  const rest = String(ppm % PPM_PER_PERCENT)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return `${Math.trunc(ppm / PPM_PER_PERCENT)}${rest === '' ? '' : `,${rest}`} %`;
}

function line(label: string, text: string): string {
  return `${label.padEnd(LABEL_WIDTH)} ${text}`;
}
