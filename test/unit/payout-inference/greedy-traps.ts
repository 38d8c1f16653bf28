import type { Trap } from './trap-file';

/** Small files on which a reader who takes the first run that fits is wrong, or could not know. */
export const GREEDY_TRAPS: readonly Trap[] = [
  {
    name: 'equal totals on neighboring days',
    items: ['a Wed 09:00 12500', 'b Wed 11:00 7300', 'c Thu 09:00 11000', 'd Thu 15:00 8800'],
    lines: ['P Thu 19800 a b', 'Q Fri 19800 c d'],
  },
  {
    name: 'nothing but equal amounts',
    items: ['a Wed 09:00 5000', 'b Wed 11:00 5000', 'c Thu 09:00 5000', 'd Thu 15:00 5000'],
    lines: ['P Thu 10000 a b', 'Q Fri 10000 c d'],
  },
  {
    name: 'a twin of the credit on the same day',
    items: ['a Wed 09:00 12500', 'b Wed 11:00 7300'],
    lines: ['P Thu 19800 a b', 'Q Thu 19800'],
    orElse: [['P', 'Q a b']],
  },
  {
    name: 'money of somebody else, of the same amount, two days later',
    items: ['a Wed 09:00 12500', 'b Wed 11:00 7300'],
    lines: ['P Thu 19800 a b', 'Q Mon 19800'],
  },
  {
    name: 'a credit that equals the first items of the payout',
    items: ['a Wed 09:00 6000', 'b Wed 11:00 4000', 'c Wed 15:00 9000'],
    lines: ['A Thu 10000', 'P Thu 19000 a b c'],
  },
  {
    name: 'a credit that equals the first item of the payout, a day before it',
    items: ['a Wed 09:00 6000', 'b Wed 11:00 4000', 'c Wed 15:00 9000'],
    lines: ['A Wed 6000', 'P Thu 19000 a b c'],
  },
  {
    name: 'a credit that equals the last items of the payout',
    items: ['a Wed 09:00 6000', 'b Wed 11:00 4000', 'c Wed 15:00 9000'],
    lines: ['A Thu 13000', 'P Thu 19000 a b c'],
  },
  {
    name: 'two credits of others that add up to the payout',
    items: ['a Wed 09:00 6000', 'b Wed 11:00 4000', 'c Wed 15:00 9000'],
    lines: ['A Thu 8700', 'B Thu 10300', 'P Thu 19000 a b c'],
  },
  {
    name: 'a payout in two credits',
    items: ['a Wed 09:00 6000', 'b Wed 11:00 4000', 'c Wed 15:00 9000'],
    lines: ['A Thu 10500', 'B Thu 8500'],
  },
  {
    name: 'a payout in two credits on two days',
    items: ['a Wed 09:00 6000', 'b Wed 11:00 4000', 'c Wed 15:00 9000', 'd Thu 09:00 7700'],
    lines: ['A Thu 10500', 'B Fri 8500', 'Q Fri 7700 d'],
  },
  {
    name: 'a day of nothing but a payment and its refund',
    items: ['a Wed 09:00 5000', 'ra Wed 11:00 -5000 a', 'b Thu 09:00 6100', 'c Thu 15:00 3300'],
    lines: ['P Fri 9400 b c'],
  },
  {
    name: 'pairs of a payment and its refund inside the run',
    items: [
      'a Wed 09:00 5000',
      'b Wed 10:00 7000',
      'ra Wed 11:00 -5000 a',
      'c Wed 12:00 8000',
      'rc Wed 13:00 -8000 c',
      'd Wed 14:00 3000',
    ],
    lines: ['P Thu 10000 b d'],
  },
  {
    name: 'a pair that no cut can be placed beside',
    items: ['a Wed 09:00 6000', 'b Wed 17:30 5000', 'rb Wed 18:30 -5000 b', 'c Thu 09:00 7100', 'd Thu 10:00 900'],
    lines: ['P Thu 6000 a', 'Q Fri 8000 c d'],
  },
  {
    name: 'a refund of yesterday’s payment',
    items: ['a Wed 09:00 5000', 'b Wed 11:00 7000', 'ra Thu 09:00 -5000 a', 'c Thu 11:00 9000', 'd Thu 15:00 2500'],
    lines: ['P Thu 12000 a b', 'Q Fri 6500 ra c d'],
  },
  {
    name: 'a refund just before the cut',
    items: ['a Wed 09:00 5000', 'b Wed 11:00 7000', 'ra Wed 17:59 -5000 a', 'c Thu 11:00 9000', 'd Thu 15:00 2500'],
    lines: ['P Thu 7000 b', 'Q Fri 11500 c d'],
  },
  {
    name: 'refunds of two equal payments, one on each side of the cut',
    items: [
      'a Wed 09:00 5000',
      'b Wed 10:00 5000',
      'c Wed 11:00 8200',
      'ra Wed 15:00 -5000 a',
      'rb Thu 09:00 -5000 b',
      'd Thu 11:00 9300',
    ],
    lines: ['P Thu 13200 b c', 'Q Fri 4300 rb d'],
  },
  {
    name: 'refunds that are more than the day',
    items: [
      'a Wed 09:00 9000',
      'b Wed 11:00 1000',
      'ra Thu 09:00 -9000 a',
      'c Thu 11:00 3000',
      'd Fri 11:00 8000',
      'e Fri 12:00 450',
    ],
    lines: ['P Thu 10000 a b', 'Q Mon 2450 ra c d e'],
  },
  {
    name: 'a payment at the instant of the cut that is in',
    items: ['a Wed 09:00 6000', 'b Wed 18:00 4000', 'c Thu 09:00 7000'],
    lines: ['P Thu 10000 a b', 'Q Fri 7000 c'],
  },
  {
    name: 'a payment at the instant of the cut that is not in',
    items: ['a Wed 09:00 6000', 'b Wed 18:00 4000', 'c Thu 09:00 7000'],
    lines: ['P Thu 6000 a', 'Q Fri 11000 b c'],
  },
  {
    name: 'two payments of one instant of which one came too late',
    items: ['a Wed 09:00 6000', 'b Wed 18:00 4000', 'c Wed 18:00 4000', 'd Thu 09:00 7000'],
    lines: ['P Thu 10000 a b', 'Q Fri 11000 c d'],
    orElse: [['P a c', 'Q b d']],
  },
  {
    name: 'equal amounts of which one was held, or the cut was earlier',
    items: ['a Wed 09:00 6000', 'x Wed 17:00 5000', 'b Wed 17:30 2000', 'y Wed 18:00 5000', 'c Thu 09:00 7000'],
    lines: ['P Thu 13000 a x b', 'Q Fri 12000 y c'],
    orElse: [['P a b y', 'Q x c']],
  },
  {
    name: 'a payment and the clawback of an equal one beside the cut',
    items: [
      'a Wed 09:00 5000',
      'b Wed 11:00 7000',
      'c Thu 11:00 6300',
      'd Thu 17:00 5000',
      'ra Thu 18:00 -5000 a',
      'e Fri 11:00 8800',
    ],
    lines: ['P Thu 12000 a b', 'Q Fri 6300 c', 'R Mon 8800 d ra e'],
    orElse: [['Q c d ra', 'R e']],
  },
  {
    name: 'a weekend that is paid with Monday',
    items: ['a Fri 09:00 6000', 'b Sat 11:00 4000', 'c Sun 15:00 9000', 'd Mon 09:00 2100'],
    lines: ['P Mon 6000 a', 'Q Tue 15100 b c d'],
  },
  {
    name: 'a weekend whose first part equals Friday',
    items: ['a Fri 09:00 6000', 'b Sat 11:00 6000', 'c Sun 15:00 9000', 'd Mon 09:00 6000'],
    lines: ['P Mon 6000 a', 'Q Tue 21000 b c d'],
  },
  {
    name: 'a payment that is larger than the credit and never paid',
    items: ['a Wed 09:00 6000', 'b Wed 11:00 90000', 'c Wed 15:00 4000', 'd Thu 11:00 7700'],
    lines: ['P Thu 10000 a c', 'Q Fri 7700 d'],
  },
  {
    name: 'a look-alike of yesterday’s payout',
    items: ['a Wed 09:00 12500', 'b Wed 11:00 7300', 'c Thu 09:00 11000', 'd Thu 15:00 4500'],
    lines: ['P Thu 19800 a b', 'A Fri 19800', 'Q Fri 15500 c d'],
  },
  {
    name: 'a credit that equals a run across two payouts',
    items: ['a Wed 09:00 12500', 'b Wed 11:00 7300', 'c Thu 09:00 11000', 'd Thu 15:00 4500'],
    lines: ['P Thu 19800 a b', 'A Fri 18300', 'Q Fri 15500 c d'],
  },
  {
    name: 'a credit that equals two payouts together',
    items: ['a Wed 09:00 12500', 'b Wed 11:00 7300', 'c Thu 09:00 11000', 'd Thu 15:00 4500'],
    lines: ['P Thu 19800 a b', 'Q Fri 15500 c d', 'A Fri 35300'],
  },
  {
    name: 'two payouts in one credit',
    items: ['a Wed 09:00 12500', 'b Wed 11:00 7300', 'c Thu 09:00 11000', 'd Thu 15:00 4500'],
    lines: ['P Fri 35300 a b c d'],
  },
  {
    name: 'a credit of the right amount before its items',
    items: ['a Thu 09:00 12500', 'b Thu 11:00 7300'],
    lines: ['A Wed 19800'],
  },
  {
    name: 'a credit of the right amount before its items, and the payout',
    items: ['a Thu 09:00 12500', 'b Thu 11:00 7300'],
    lines: ['A Wed 19800', 'P Fri 19800 a b'],
  },
  {
    name: 'a payout that never came',
    items: ['a Wed 09:00 12500', 'b Wed 11:00 7300', 'c Thu 09:00 11000', 'd Thu 15:00 4500'],
    lines: ['Q Fri 15500 c d'],
  },
  {
    name: 'a payout that never came, of the same amount as the next one',
    items: ['a Wed 09:00 5000', 'b Thu 09:00 5000', 'c Fri 09:00 6200'],
    lines: ['Q Fri 5000 b', 'R Mon 6200 c'],
  },
  {
    name: 'a payout that came a dinar short',
    items: ['a Wed 09:00 12500', 'b Wed 11:00 7300', 'c Thu 09:00 11000', 'd Thu 15:00 4500'],
    lines: ['A Thu 18800', 'Q Fri 15500 c d'],
  },
  {
    name: 'a payout that was returned and paid again',
    items: ['a Wed 09:00 12500', 'b Wed 11:00 7300'],
    lines: ['A Thu 19800', 'B Fri -19800 # REJET PAYOUT', 'P Mon 19800 a b'],
  },
  {
    name: 'a payout that was returned and never came again',
    items: ['a Wed 09:00 12500', 'b Wed 11:00 7300'],
    lines: ['P Thu 19800 a b', 'B Fri -19800 # REJET PAYOUT'],
  },
  {
    name: 'a payout that was returned and paid with the next one',
    items: ['a Wed 09:00 12500', 'b Wed 11:00 7300', 'c Thu 09:00 11000', 'd Thu 15:00 4500'],
    lines: ['A Thu 19800', 'B Thu -19800 # REJET PAYOUT', 'P Fri 35300 a b c d'],
  },
  {
    name: 'a debit of the same amount that is no return',
    items: ['a Wed 09:00 12500', 'b Wed 11:00 7300'],
    lines: ['P Thu 19800 a b', 'B Fri -19800 # LOYER MARS'],
  },
  {
    name: 'the return of one of two equal payouts',
    items: ['a Wed 09:00 12500', 'b Wed 11:00 7300', 'c Thu 09:00 11000', 'd Thu 15:00 8800'],
    lines: ['P Thu 19800 a b', 'A Fri 19800', 'B Mon -19800 # REJET PAYOUT'],
    orElse: [['P', 'A c d']],
  },
  {
    name: 'two equal payouts that were both returned and both paid again',
    items: ['a Wed 09:00 12500', 'b Wed 11:00 7300', 'c Thu 09:00 11000', 'd Thu 15:00 8800'],
    lines: [
      ...['A Thu 19800', 'B Fri 19800', 'C Fri -19800 # REJET PAYOUT', 'D Mon -19800 # REJET PAYOUT'],
      ...['P Tue 19800 a b', 'Q Wed2 19800 c d'],
    ],
    orElse: [['P c d', 'Q a b']],
  },
  {
    name: 'a payment a day late that makes two payouts look booked in each other’s place',
    items: ['a Wed 09:00 5000', 'b Wed 11:00 12300', 'c Thu 09:00 4100', 'd Thu 11:00 8200'],
    lines: ['P Thu 12300 b', 'Q Fri 17300 a c d'],
    orElse: [['P c d', 'Q a b']],
  },
  {
    name: 'a refund of the same day that nobody took back',
    items: ['a Wed 09:00 5000', 'b Wed 11:00 12300', 'r Wed 15:00 -5000 a', 'c Thu 09:00 4100'],
    lines: ['P Thu 17300 a b', 'Q Fri 4100 c'],
  },
  {
    name: 'money of somebody else of the amount of one payment',
    items: ['a Wed 09:00 5000', 'b Wed 11:00 7300'],
    lines: ['A Thu 5000', 'P Thu 12300 a b'],
  },
  {
    name: 'a payment that is paid a day late beside one of its amount',
    items: ['a Wed 09:00 5000', 'b Wed 11:00 5000', 'c Wed 13:00 8300', 'd Thu 11:00 9900'],
    lines: ['P Thu 13300 a c', 'Q Fri 14900 b d'],
    orElse: [['P b c', 'Q a d']],
  },
];
