import { type Millimes, millimes } from '../../../src/kernel';
import type { SeededRandom } from '../../../src/simulator';
import type { AmountStyle } from './plan';

const DINAR = 1_000;
const WHOLE_DINARS_PPM = 600_000;
/** The prices of a shop with a price list. */
const PRICE_POINTS_DINARS = [9, 15, 19, 25, 29, 49, 79, 120] as const;

/** Draws a positive amount from 5 to 200 dinars, or one of eight prices. */
export function makeAmount(random: SeededRandom, style: AmountStyle): Millimes {
  switch (style) {
    case 'mixed':
      return makeAmount(random, random.chance(WHOLE_DINARS_PPM) ? 'whole_dinars' : 'hundreds');
    case 'whole_dinars':
      return millimes(random.int(5, 200) * DINAR);
    case 'hundreds':
      return millimes(random.int(50, 2_000) * 100);
    case 'odd_millimes':
      return millimes(random.int(5_000, 200_000));
    case 'price_points':
      return millimes(random.pick(PRICE_POINTS_DINARS) * DINAR);
  }
}
