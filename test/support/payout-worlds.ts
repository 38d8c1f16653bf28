import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { businessCalendar, WorkingDays } from '../../src/kernel';
import { inferPayouts, readMatchFiles } from '../../src/payout-inference';

const FOLDER = join(__dirname, '..', '..', '..', 'shared', 'samples', 'payout-worlds');

interface Truth {
  readonly groups: readonly {
    readonly lines: readonly string[];
    readonly items: readonly number[];
    readonly fate: string;
    readonly resolvable: boolean;
  }[];
  readonly items: {
    readonly id: readonly string[];
    readonly group: readonly number[];
    /** The index of the refund of a payment, or of the payment of a refund; negative for none. */
    readonly pair: readonly number[];
  };
}

/** The answer to a world of another author, compared with its truth. */
export interface JudgedWorld {
  /** Resolvable credits that are resolved with exactly their items. */
  readonly exact: number;
  readonly resolvable: number;
  /** The lines that are resolved with other items. */
  readonly wrong: readonly string[];
  readonly cutShort: number;
}

/** Whether the worlds are beside this repository; if they are not, the run says so. */
export function hasPayoutWorlds(): boolean {
  if (existsSync(FOLDER)) return true;
  process.stdout.write('The payout worlds are skipped: ../shared/samples is not beside this repository\n');
  return false;
}

/** Answers a world from its files alone, and then judges the answer. A payment with its own refund counts on no side. */
export function judgeWorld(name: string, maxError: number): JudgedWorld {
  const file = (base: string): { name: string; bytes: Buffer } | undefined => {
    const path = join(FOLDER, name, base);
    return existsSync(path) ? { name: base, bytes: readFileSync(path) } : undefined;
  };
  const required = (base: string): { name: string; bytes: Buffer } => {
    const found = file(base);
    if (found === undefined) throw new Error(`the world ${name} has no ${base}`);
    return found;
  };
  const { holidays, ...facts } = readMatchFiles({
    items: required('items.csv'),
    statement: required('statement.csv'),
    observations: file('observations.csv'),
    fees: file('fees.json'),
    holidays: file('holidays.csv'),
  });
  const { credits } = inferPayouts({
    ...facts,
    calendar: businessCalendar('Africa/Tunis'),
    workingDays: new WorkingDays(holidays ?? []),
    maxError,
  });
  const truth = JSON.parse(required('truth.json').bytes.toString('utf8')) as Truth;
  const indexOf = new Map(truth.items.id.map((id, index) => [id, index]));
  const groupOf = new Map(truth.groups.flatMap(({ lines }, group) => lines.map((line) => [line, group] as const)));
  const wrong: string[] = [];
  let exact = 0;
  for (const { lineId, outcome, itemIds } of credits) {
    if (outcome !== 'resolved') continue;
    const paid = new Set(itemIds.map((id) => indexOf.get(id) ?? -1));
    const unpaired = [...paid].filter((item) => !paid.has(truth.items.pair[item] ?? -1));
    const group = groupOf.get(lineId) ?? -1;
    const payout = truth.groups[group];
    const isRight =
      unpaired.length === payout?.items.length && unpaired.every((item) => truth.items.group[item] === group);
    if (!isRight) wrong.push(lineId);
    else if (payout.fate === 'credited' && payout.resolvable) exact += 1;
  }
  return {
    exact,
    wrong,
    resolvable: truth.groups.filter(({ fate, resolvable }) => fate === 'credited' && resolvable).length,
    cutShort: credits.filter(({ outcome }) => outcome === 'search_cut_short').length,
  };
}
