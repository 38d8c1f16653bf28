/** What a credit may pay, and how much likelier that is than that both have nothing to do with each other. */
export interface Choice {
  readonly credit: number;
  /** The items that it would pay, each of them paid once. */
  readonly items: readonly number[];
  readonly weight: number;
}

export interface WeighedMatchings {
  /** Of each choice, the probability over all ways to match. 0 where it was not worked out. */
  readonly shares: Float64Array;
  /** 1 for choices of a group that was too entangled to be worked out. */
  readonly isRefused: Uint8Array;
  /** The logarithm of the weight of all matchings together, against that of no match at all. */
  readonly logTotal: number;
  /** Of the refused groups: the logarithm of the weight of one good matching, so at most that of all. */
  readonly logRefused: number;
}

/** Items of one group that are in doubt at the same time. */
const OPEN_MAX = 14;
/** The work of one call, in steps of the sum over all matchings. */
const STEPS_MAX = 40_000_000;

/**
 * The sum over all matchings of credits with items, exactly: credits are taken in order, and what is remembered between
 * two of them is which of the items in doubt are used. Choices come in the order of their credits' days.
 */
export function weighMatchings(choices: readonly Choice[]): WeighedMatchings {
  const shares = new Float64Array(choices.length);
  const isRefused = new Uint8Array(choices.length);
  const budget = { left: STEPS_MAX };
  let logTotal = 0;
  let logRefused = 0;
  for (const group of groupsOf(choices)) {
    const logOfGroup = weighGroup(choices, group, shares, budget);
    if (logOfGroup === undefined) {
      logRefused += logOfOneMatching(choices, group);
      for (const index of group) isRefused[index] = 1;
    } else logTotal += logOfGroup;
  }
  return { shares, isRefused, logTotal, logRefused };
}

/** Takes the heaviest choices that leave each other room. */
function logOfOneMatching(choices: readonly Choice[], group: readonly number[]): number {
  const usedCredits = new Set<number>();
  const usedItems = new Set<number>();
  let logWeight = 0;
  const byWeight = group
    .flatMap((index) => choices[index] ?? [])
    .filter(({ weight }) => weight > 1)
    .sort((a, b) => b.weight - a.weight);
  for (const { credit, items, weight } of byWeight) {
    if (usedCredits.has(credit) || items.some((item) => usedItems.has(item))) continue;
    usedCredits.add(credit);
    for (const item of items) usedItems.add(item);
    logWeight += Math.log(weight);
  }
  return logWeight;
}

/** Choices that share credits or items, directly or through others; in order. */
function groupsOf(choices: readonly Choice[]): number[][] {
  const ofCredit = new Map<number, number>();
  const ofItem = new Map<number, number>();
  const parent = Int32Array.from(choices, (_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while ((parent[root] ?? root) !== root) root = parent[root] ?? root;
    for (let step = index; step !== root;) {
      const next = parent[step] ?? root;
      parent[step] = root;
      step = next;
    }
    return root;
  };
  const join = (known: Map<number, number>, key: number, index: number): void => {
    const other = known.get(key);
    if (other === undefined) known.set(key, index);
    else {
      const [a, b] = [rootOf(other), rootOf(index)];
      parent[Math.max(a, b)] = Math.min(a, b);
    }
  };
  choices.forEach(({ credit, items }, index) => {
    join(ofCredit, credit, index);
    for (const item of items) join(ofItem, item, index);
  });
  const groups = new Map<number, number[]>();
  for (let index = 0; index < choices.length; index += 1) {
    const root = rootOf(index);
    const known = groups.get(root);
    if (known === undefined) groups.set(root, [index]);
    else known.push(index);
  }
  return [...groups.values()];
}

interface Step {
  readonly options: { readonly choice: number; readonly bits: number; readonly weight: number }[];
  /** The bits of items that no later credit may pay: what became of them is not asked any more. */
  keep: number;
}

function weighGroup(
  choices: readonly Choice[],
  group: readonly number[],
  shares: Float64Array,
  budget: { left: number },
): number | undefined {
  const steps = stepsOf(choices, group);
  if (steps === undefined) return undefined;
  const before: Map<number, number>[] = [];
  let states = new Map([[0, 1]]);
  let logTotal = 0;
  for (const { options, keep } of steps) {
    budget.left -= states.size * (options.length + 1);
    if (budget.left < 0) return undefined;
    before.push(states);
    const next = new Map<number, number>();
    let sum = 0;
    const add = (used: number, weight: number): void => {
      next.set(used & keep, (next.get(used & keep) ?? 0) + weight);
      sum += weight;
    };
    for (const [used, weight] of states) {
      add(used, weight);
      for (const option of options) if ((used & option.bits) === 0) add(used | option.bits, weight * option.weight);
    }
    for (const [used, weight] of next) next.set(used, weight / sum);
    logTotal += Math.log(sum);
    states = next;
  }
  let after = new Map([...states.keys()].map((used) => [used, 1]));
  for (let place = steps.length - 1; place >= 0; place -= 1) {
    const step = steps[place];
    const states = before[place];
    if (step === undefined || states === undefined) break;
    after = lookBack(step, states, after, shares);
  }
  return logTotal;
}

/** One step of the way back: the shares of the step's choices, and what each state before it is worth. */
function lookBack(
  { options, keep }: Step,
  states: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
  shares: Float64Array,
): Map<number, number> {
  const here = new Map<number, number>();
  const ofOption = new Float64Array(options.length);
  let total = 0;
  let most = 0;
  for (const [used, weight] of states) {
    let worth = after.get(used & keep) ?? 0;
    options.forEach((option, place) => {
      if ((used & option.bits) !== 0) return;
      const with_ = option.weight * (after.get((used | option.bits) & keep) ?? 0);
      ofOption[place] = (ofOption[place] ?? 0) + weight * with_;
      worth += with_;
    });
    here.set(used, worth);
    total += weight * worth;
    most = Math.max(most, worth);
  }
  options.forEach(({ choice }, place) => (shares[choice] = (ofOption[place] ?? 0) / total));
  for (const [used, worth] of here) here.set(used, worth / most);
  return here;
}

/** Gives each item a bit from its first to its last credit. Undefined when more are open at once than there are bits. */
function stepsOf(choices: readonly Choice[], group: readonly number[]): Step[] | undefined {
  const lastUse = new Map<number, number>();
  for (const index of group) for (const item of choices[index]?.items ?? []) lastUse.set(item, index);
  const bitOf = new Map<number, number>();
  let free = 2 ** OPEN_MAX - 1;
  const steps: Step[] = [];
  for (let place = 0; place < group.length;) {
    const credit = choices[group[place] ?? 0]?.credit;
    const options: Step['options'] = [];
    const ending: number[] = [];
    for (; place < group.length; place += 1) {
      const index = group[place] ?? 0;
      const choice = choices[index];
      if (choice === undefined || choice.credit !== credit) break;
      let bits = 0;
      for (const item of choice.items) {
        let bit = bitOf.get(item);
        if (bit === undefined) {
          bit = free & -free;
          if (bit === 0) return undefined;
          free ^= bit;
          bitOf.set(item, bit);
        }
        bits |= bit;
        if (lastUse.get(item) === index) ending.push(bit);
      }
      options.push({ choice: index, bits, weight: choice.weight });
    }
    const ended = ending.reduce((all, bit) => all | bit, 0);
    free |= ended;
    steps.push({ options, keep: ~ended });
  }
  return steps;
}
