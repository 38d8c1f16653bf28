// Goal: Create Subscription accepts and refuses exactly what interface sections 4.2, 7.1 and 8 state.
// Method: a valid body with one field changed at a time; each refusal names only that field.
import { describe, expect, test } from '@jest/globals';
import { readCreation } from '../../../../src/simulator/subscriptions/read-creation';
import { CREATION } from './a-subscription';

const faultsOf = (changes: Readonly<Record<string, unknown>>): Readonly<Record<string, readonly string[]>> => {
  const creation = readCreation({ ...CREATION, ...changes });
  return creation.kind === 'refused' ? creation.faults : {};
};

test('a body with only the required fields gets the defaults', () => {
  expect(readCreation(CREATION)).toEqual({
    kind: 'terms',
    terms: {
      amountMillimes: 30_000,
      interval: 'month',
      intervalCount: 1,
      name: 'Gold',
      description: '',
      developerTrackingId: 'plan-1',
      successLink: 'https://shop.example/paid',
      failLink: 'https://shop.example/failed',
      webhook: null,
      sessionTimeoutSecs: 1_200,
      clientId: null,
      maxCycles: null,
      acceptCard: false,
    },
  });
});

test('an empty body names every required field', () => {
  const creation = readCreation({});
  expect(creation.kind === 'refused' && Object.keys(creation.faults).toSorted()).toEqual([
    'amount',
    'developer_tracking_id',
    'fail_link',
    'interval',
    'name',
    'success_link',
  ]);
});

describe('A creation that is accepted', () => {
  test.each([
    ['amount', 100],
    ['currency', 'TND'],
    ['name', 'x'.repeat(50)],
    // Characters, not UTF-16 units and not bytes.
    ['name', '😀'.repeat(50)],
    ['description', ''],
    ['description', 'é'.repeat(200)],
    ['developer_tracking_id', 'x'.repeat(50)],
    ['client_id', 'x'.repeat(255)],
    ['session_timeout', 1_200],
    ['session_timeout', 7_200],
    ['max_cycles', 1],
    ['accept_card', true],
    ['webhook', 'https://merchant.example/hook?a=b'],
    ['webhook', 'http://127.0.0.1:8080/webhooks/subscription'],
    ['something_else', null],
  ])('%s %j', (name, value) => {
    expect(faultsOf({ [name]: value })).toEqual({});
  });

  test.each([
    ['day', 366],
    ['week', 52],
    ['month', 12],
    ['year', 1],
  ] as const)('a cycle of %s × %d, and none longer or shorter than 1', (interval, max) => {
    expect(faultsOf({ interval, interval_count: max })).toEqual({});
    expect(faultsOf({ interval, interval_count: max + 1 })).toEqual({ interval_count: ['Cycle exceeds one year.'] });
    expect(Object.keys(faultsOf({ interval, interval_count: 0 }))).toEqual(['interval_count']);
  });
});

describe('A creation that is refused', () => {
  test.each([
    ['amount', 99],
    ['amount', '30000'],
    ['amount', 100.5],
    ['amount', 2 ** 53],
    ['amount', true],
    ['amount', null],
    ['currency', 'EUR'],
    ['currency', 'tnd'],
    ['currency', null],
    ['interval', 'decade'],
    ['interval', 'Month'],
    ['interval', null],
    ['interval', ['month']],
    ['interval_count', '1'],
    ['interval_count', 1.5],
    ['interval_count', null],
    ['name', ''],
    ['name', '   '],
    ['name', 'x'.repeat(51)],
    ['name', 5],
    ['description', 'x'.repeat(201)],
    ['description', null],
    ['developer_tracking_id', ''],
    ['developer_tracking_id', 'x'.repeat(51)],
    ['developer_tracking_id', 7],
    ['client_id', 'x'.repeat(256)],
    ['client_id', { id: 1 }],
    ['session_timeout', 1_199],
    ['session_timeout', 7_201],
    ['session_timeout', '1200'],
    ['max_cycles', 0],
    ['max_cycles', '12'],
    ['accept_card', 'true'],
    ['accept_card', 1],
    ['success_link', 'http://shop.example/paid'],
    ['success_link', 'shop.example'],
    ['fail_link', 'ftp://shop.example'],
    ['webhook', 'http://merchant.example/hook'],
    ['webhook', 5],
    ['destination', [{ amount: 1, destination: '7' }]],
    ['destination', []],
  ])('%s %j', (name, value) => {
    const faults = faultsOf({ [name]: value });
    expect(Object.keys(faults)).toEqual([name]);
    expect(faults[name]).toEqual([expect.stringMatching(/\S/)]);
  });

  test('names every fault of a body', () => {
    const faults = faultsOf({ amount: 1, interval: 'decade', session_timeout: 5, webhook: 'x' });
    expect(Object.keys(faults).toSorted()).toEqual(['amount', 'interval', 'session_timeout', 'webhook']);
  });
});
