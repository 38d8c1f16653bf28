import type { CutRates } from './cut-rates';
import { chanceOfState, chanceToMove, type CutState } from './cut-states';
import { cutsNear, reachOf } from './deviating-links';
import { type DeviationRates, movedRate } from './deviation-rates';
import type { StreamAnswer } from './model-answer';

interface MovedItems extends Pick<StreamAnswer, 'sequence' | 'finder'> {
  readonly weighed: {
    readonly cutRates: CutRates;
    readonly rates: DeviationRates;
    readonly paths: { readonly links: number; readonly deviations: number };
    readonly deviating: readonly { readonly from: number; readonly to: number }[];
  };
}

/**
 * Returns the probability that two items moved over a cut over which one seems to have moved, in this place or at a cut
 * nearby. The paths hold one moved item for each cut, and where many items move, two of them may amount to a third.
 */
export function twoMovedError({ sequence, finder, weighed }: MovedItems, state: CutState): number {
  const { position, carried, items } = state;
  const { cutRates, rates } = weighed;
  const single = chanceOfState(state, rates);
  if (carried === 0 || single === 0) return 0;
  const before = weighed.deviating.find(({ to }) => to === position);
  const after = weighed.deviating.find(({ from }) => from === position);
  const reach = reachOf(sequence, position, before, after);
  const here = { place: position, carried, ratio: 1 };
  const chanceAt = (item: number, cut: number): number =>
    chanceToMove({ position: item, share: 1 / (item < cut ? cut - reach.from : reach.to - cut) }, cut, rates);
  const pairs = [here, ...cutsNear({ sequence, finder, cutRates }, state, reach)].reduce((sum, cut) => {
    // Beside the cut, the moved item and the one between the two cuts pay the same items as the single one does.
    const between = Math.min(cut.place, position);
    const same =
      Math.abs(cut.place - position) === 1
        ? items.reduce((of, item) => of + chanceAt(item.position, cut.place) * chanceAt(between, cut.place), 0)
        : 0;
    return sum + cut.ratio * Math.max(0, finder.chanceOfPairs(cut.place, cut.carried, reach, rates) - same);
  }, 0);
  return (mayMoveTogether(weighed) * pairs) / single;
}

/**
 * Returns the probability that items of this gateway move independently, so that two of them may meet at one cut: one
 * half, unless the file should have such payouts and explains all without them.
 */
function mayMoveTogether({ rates, paths }: MovedItems['weighed']): number {
  const expected = (paths.links * movedRate(rates) ** 2) / 2;
  const unexplained = Math.max(0, paths.deviations - 1);
  return 1 / (1 + Math.exp(Math.max(0, expected - unexplained)));
}
