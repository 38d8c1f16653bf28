// Goal: the demo uses every channel and is identical each time.
import { expect, test } from '@jest/globals';
import { type Act, planDemo } from '../../../src/demo/demo-plan';
import { checkoutFile } from '../../../src/demo/plan-files';

const SEED = 7;
const plan = planDemo(SEED);
const acts = plan.days.flatMap((day) => day.acts);

function amountsOf(one: Act): number[] {
  return 'amountMillimes' in one ? [one.amountMillimes] : [];
}

test('the same seed brings the same days, another seed others', () => {
  expect(planDemo(SEED)).toEqual(plan);
  expect(planDemo(SEED + 1)).not.toEqual(plan);
});

test('every channel is paid through', () => {
  const ways = new Set(acts.map((act) => (act.kind === 'pay' ? act.by : act.kind)));
  expect([...ways].sort()).toEqual([
    'card',
    'code',
    'confirm',
    'mpayment',
    'refund',
    'refused_by_bank',
    'terminal',
    'turned_away',
    'wallet',
  ]);
  expect(plan.subscriptions.length).toBeGreaterThan(0);
});

test('no amount comes twice, because it says which payment a customer pays', () => {
  const amounts = acts.flatMap(amountsOf);
  expect(new Set(amounts).size).toBe(amounts.length);
});

test('what is refunded was bought on an earlier day', () => {
  plan.days.forEach(({ acts: ofDay }, day) => {
    for (const act of ofDay) {
      if (act.kind !== 'refund') continue;
      const earlier = plan.days.slice(0, day).flatMap((each) => each.acts);
      expect(earlier).toContainEqual(expect.objectContaining({ kind: 'pay', reference: act.reference }));
    }
  });
});

test('a day’s file of checkouts names each of its customers’ payments', () => {
  for (const day of plan.days) {
    const asked = day.acts.filter(({ kind }) => kind === 'pay' || kind === 'refused_by_bank').flatMap(amountsOf);
    const rows = checkoutFile(day).trim().split('\r\n').slice(1);
    expect(rows.map((row) => Number(row.split(',')[1]))).toEqual(asked);
  }
});
