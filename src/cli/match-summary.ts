import { formatDinars } from '../kernel';
import type { FeeRule, ItemState, MatchFacts, MatchResult } from '../payout-inference';

const PPM_PER_PERCENT = 10_000;
const LABEL_WIDTH = 20;

/** What a person wants to know first, one line for each thing. */
export function matchSummary(facts: MatchFacts, result: MatchResult): string[] {
  const amountOfLine = new Map(facts.lines.map(({ lineId, amount }) => [lineId, BigInt(amount)]));
  return [
    line('payout model', result.model ?? 'none: nothing says that these items were paid to this account'),
    ...feeLines(facts, result),
    ...counted(
      'credits',
      result.credits.map(({ outcome, lineId }) => [outcome, amountOfLine.get(lineId) ?? 0n]),
    ),
    ...counted('items', itemStates(facts, result)),
    ...counted(
      'breaks',
      result.breaks.map(({ breakClass, amount }) => [breakClass, BigInt(amount)]),
    ),
  ];
}

/** The items of the result stand in the order of those that were given. */
function itemStates({ items }: MatchFacts, result: MatchResult): (readonly [ItemState, bigint])[] {
  return result.items.map(({ state }, index) => [state, BigInt(items[index]?.amount ?? 0)]);
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
function counted(label: string, rows: readonly (readonly [string, bigint])[]): string[] {
  const kinds = new Map<string, { count: number; sum: bigint }>();
  for (const [kind, amount] of rows) {
    const { count, sum } = kinds.get(kind) ?? { count: 0, sum: 0n };
    kinds.set(kind, { count: count + 1, sum: sum + amount });
  }
  const sorted = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    line(label, String(rows.length)),
    ...sorted.map(([kind, { count, sum }]) => line(`  ${kind}`, `${count}, ${formatDinars(sum)}`)),
  ];
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
