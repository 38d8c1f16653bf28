import { at } from '../at';

/** A possible payment of a credit, and how much likelier it is than no relation between the two. */
export interface Choice {
  readonly credit: number;
  /** The items that it would pay. Each is paid at most once. */
  readonly items: readonly number[];
  readonly weight: number;
}

/** Groups the choices that share credits or items, directly or through others; each group, and the groups, in order. */
export function groupChoices(choices: readonly Choice[]): number[][] {
  const parent = Int32Array.from(choices, (_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (at(parent, root) !== root) root = at(parent, root);
    for (let step = index; step !== root;) {
      const next = at(parent, step);
      parent[step] = root;
      step = next;
    }
    return root;
  };
  const { credits, items } = sizesOf(choices);
  const ofCredit = new Int32Array(credits).fill(-1);
  const ofItem = new Int32Array(items).fill(-1);
  const join = (known: Int32Array, key: number, index: number): void => {
    const other = at(known, key);
    if (other < 0) known[key] = index;
    else {
      const [a, b] = [rootOf(other), rootOf(index)];
      parent[Math.max(a, b)] = Math.min(a, b);
    }
  };
  choices.forEach((choice, index) => {
    join(ofCredit, choice.credit, index);
    for (const item of choice.items) join(ofItem, item, index);
  });
  const groups: number[][] = [];
  const groupOf = new Int32Array(choices.length);
  for (let index = 0; index < choices.length; index += 1) {
    // The root is the first of its group, so its group exists already.
    const root = rootOf(index);
    if (root === index) groupOf[index] = groups.push([index]) - 1;
    else groups[at(groupOf, root)]?.push(index);
  }
  return groups;
}

function sizesOf(choices: readonly Choice[]): { readonly credits: number; readonly items: number } {
  let credits = 0;
  let items = 0;
  for (const choice of choices) {
    credits = Math.max(credits, choice.credit + 1);
    for (const item of choice.items) items = Math.max(items, item + 1);
  }
  return { credits, items };
}
