// A stand-in for the inference, for tests of what is done with its answers: with three payments nothing is proved, so the
// real one would rightly refuse. One cut takes all that is there; a credit is the run of items whose net sum it equals.
import { addDays, type Millimes, millimes, ZERO_MILLIMES } from '../../src/kernel';
import {
  type BankLine,
  feeOn,
  type FeeRule,
  feeRuleOn,
  type Inference,
  type InferredCredit,
  type Item,
  type MatchRequest,
  type ReturnedPayout,
} from '../../src/payout-inference';

const BANK_LAG_WORKING_DAYS_MAX = 5;

/** 1 % and 19 % TVA on it. */
export const ONE_PERCENT: FeeRule = {
  channel: 'agent',
  ratePpm: 10_000,
  fixedMillimes: ZERO_MILLIMES,
  tvaPpm: 190_000,
  rounding: 'half_up',
  basis: 'item',
};

interface Run {
  readonly credit: BankLine;
  readonly items: readonly Item[];
  readonly rivals: readonly BankLine[];
  readonly cut: { readonly after: number; readonly until: number };
}

/** `learned` is what it learns of the fees when it is not given any; `pays` is what the gateway pays out at all. */
export function sweepBySums(
  learned: readonly FeeRule[] = [],
  pays: (item: Item) => boolean = () => true,
): (request: MatchRequest) => Inference {
  return (request) => {
    const rules = request.fees ?? learned;
    const paidOut = request.items.filter(pays);
    const items = paidOut.sort((a, b) => timeOf(a) - timeOf(b) || (a.itemId < b.itemId ? -1 : 1));
    const credits = request.lines
      .filter(({ amount }) => amount > 0)
      .sort((a, b) => (a.bookingDate + a.lineId < b.bookingDate + b.lineId ? -1 : 1));
    const returned = returnsIn(credits, request.lines);
    const gone = new Set(returned.map(({ lineId }) => lineId));
    const runs = chainOf(
      items,
      credits.filter(({ lineId }) => !gone.has(lineId)),
      rules,
      request,
    );
    const doubtful = runs.find(({ rivals }) => rivals.some((rival) => !runs.some(({ credit }) => credit === rival)));
    const sure = doubtful === undefined ? runs : runs.slice(0, runs.indexOf(doubtful));
    const rivals = new Set(doubtful?.rivals ?? []);
    const lineOf = new Map(
      sure.flatMap(({ credit, items: paid }) => paid.map(({ itemId }) => [itemId, credit.lineId])),
    );
    const isPaid = sure.length > 0;
    return {
      model: isPaid ? 'sweep-all' : undefined,
      fees: rules,
      feesLearned: request.fees === undefined,
      credits: credits.map((credit) => {
        const run = sure.find((each) => each.credit === credit);
        return run === undefined ? openCredit(credit, rivals.has(credit)) : resolvedCredit(run, rules);
      }),
      items: request.items.map((item) => ({
        itemId: item.itemId,
        lineId: lineOf.get(item.itemId),
        evidence: lineOf.has(item.itemId) ? 'inferred_by_cut' : undefined,
        stream: isPaid || request.history !== undefined ? 'all' : item.channel,
        available: { after: timeOf(item) - 1, until: timeOf(item) },
        cancelled: false,
      })),
      returned,
      streams: [],
    };
  };
}

function timeOf({ availableUntil, succeededAt }: Item): number {
  return availableUntil ?? succeededAt;
}

function chainOf(
  items: readonly Item[],
  credits: readonly BankLine[],
  rules: readonly FeeRule[],
  { calendar, workingDays }: MatchRequest,
): Run[] {
  const runs: Run[] = [];
  const waiting = [...credits];
  let start = 0;
  while (start < items.length) {
    const found = waiting.flatMap((credit): Run[] => {
      let net = 0;
      for (let end = start + 1; end <= items.length; end += 1) {
        const last = items[end - 1];
        if (last === undefined) break;
        net += netOf(last, rules);
        if (net !== credit.amount) continue;
        const next = items[end];
        const dayEnd = calendar.startOf(addDays(credit.bookingDate, 1));
        const cut = { after: timeOf(last), until: Math.min(next === undefined ? dayEnd : timeOf(next), dayEnd) };
        const latest = workingDays.onOrAfter(calendar.dateOf(cut.until - 1));
        if (cut.until <= cut.after) return [];
        if (credit.bookingDate > workingDays.add(latest, BANK_LAG_WORKING_DAYS_MAX)) return [];
        return [{ credit, items: items.slice(start, end), rivals: [], cut }];
      }
      return [];
    });
    const [first] = found;
    if (first === undefined) break;
    runs.push({ ...first, rivals: found.map(({ credit }) => credit) });
    waiting.splice(waiting.indexOf(first.credit), 1);
    start += first.items.length;
  }
  return runs;
}

function feeOf({ channel, amount }: Item, rules: readonly FeeRule[]): { fee: number; tva: number } {
  const rule = amount > 0 ? feeRuleOn(rules, channel, '2026-03-01') : undefined;
  return rule === undefined ? { fee: 0, tva: 0 } : feeOn(amount, rule);
}

function netOf(item: Item, rules: readonly FeeRule[]): number {
  const { fee, tva } = feeOf(item, rules);
  return item.amount - fee - tva;
}

function returnsIn(credits: readonly BankLine[], lines: readonly BankLine[]): ReturnedPayout[] {
  return lines
    .filter(({ amount }) => amount < 0)
    .flatMap((debit) => {
      const credit = credits.find((each) => each.amount === -debit.amount && each.bookingDate <= debit.bookingDate);
      if (credit === undefined) return [];
      const again = credits.find((each) => each.amount === credit.amount && each.bookingDate > debit.bookingDate);
      return [{ lineId: credit.lineId, debitLineId: debit.lineId, paidAgainLineId: again?.lineId, orElse: [] }];
    });
}

function resolvedCredit({ credit, items, cut }: Run, rules: readonly FeeRule[]): InferredCredit {
  const total = (of: (item: Item) => number): Millimes => millimes(items.reduce((sum, item) => sum + of(item), 0));
  return {
    lineId: credit.lineId,
    outcome: 'resolved',
    itemIds: items.map(({ itemId }) => itemId).sort(),
    commonCore: [],
    proposal: [],
    gross: total(({ amount }) => amount),
    fee: total((item) => feeOf(item, rules).fee),
    tva: total((item) => feeOf(item, rules).tva),
    remainder: ZERO_MILLIMES,
    evidence: 'inferred_by_cut',
    claimedError: 0.0001,
    cut,
    stream: 'all',
    cause: 'none',
  };
}

function openCredit({ lineId, amount }: BankLine, isAmbiguous: boolean): InferredCredit {
  return {
    lineId,
    outcome: isAmbiguous ? 'ambiguous' : 'unexplained',
    itemIds: [],
    commonCore: [],
    proposal: [],
    gross: ZERO_MILLIMES,
    fee: ZERO_MILLIMES,
    tva: ZERO_MILLIMES,
    remainder: amount,
    evidence: undefined,
    claimedError: 1,
    cut: undefined,
    stream: undefined,
    cause: isAmbiguous ? 'competing' : 'none',
  };
}
