import { describe, expect, test } from '@jest/globals';
import { BucketCounts } from '../../../src/metrics/bucket-counts';
import { histogramSamples } from '../../../src/metrics/families';
import { Observations } from '../../../src/metrics/observations';

const answered = { route: '/healthz', method: 'GET', status: 200, seconds: 0.004 };

describe('BucketCounts', () => {
  test('counts a value in the first bucket whose bound is not below it', () => {
    const counts = new BucketCounts([1, 2]);
    for (const value of [0, 1, 1.5, 2, 2.1]) counts.count(value);
    expect(counts.counts).toEqual([2, 2, 1]);
    expect(counts.sum).toBeCloseTo(6.6);
  });

  test('is printed with cumulative buckets', () => {
    const counts = new BucketCounts([1, 2]);
    for (const value of [1, 2, 3]) counts.count(value);
    expect(histogramSamples('h', counts, { route: 'r' })).toEqual([
      { metricName: 'h_bucket', labels: { route: 'r', le: '1' }, value: 1 },
      { metricName: 'h_bucket', labels: { route: 'r', le: '2' }, value: 2 },
      { metricName: 'h_bucket', labels: { route: 'r', le: '+Inf' }, value: 3 },
      { metricName: 'h_sum', labels: { route: 'r' }, value: 6 },
      { metricName: 'h_count', labels: { route: 'r' }, value: 3 },
    ]);
  });
});

describe('Observations', () => {
  const countsOf = (observed: Observations): unknown[] =>
    [...observed.routes].flatMap(([route, { requests }]) => [...requests.values()].map((each) => ({ route, ...each })));

  test('counts requests by route, method and status', () => {
    const observed = new Observations();
    observed.countRequest(answered);
    observed.countRequest(answered);
    observed.countRequest({ ...answered, status: 405, method: 'POST' });
    expect(countsOf(observed)).toEqual([
      { route: '/healthz', method: 'GET', status: 200, count: 2 },
      { route: '/healthz', method: 'POST', status: 405, count: 1 },
    ]);
  });

  test('counts methods that a caller invents as one', () => {
    const observed = new Observations();
    for (const method of ['PROPFIND', 'M-SEARCH', undefined]) observed.countRequest({ ...answered, method });
    expect(countsOf(observed)).toEqual([{ route: '/healthz', method: 'other', status: 200, count: 3 }]);
  });

  test('counts routes beyond the limit as other, so that memory stays bounded', () => {
    const observed = new Observations();
    for (let index = 0; index < 1_000; index += 1) observed.countRequest({ ...answered, route: `/agents/${index}` });
    expect(observed.routes.size).toBe(201);
    expect(observed.routes.get('other')?.seconds.counts.reduce((sum, count) => sum + count)).toBe(800);
  });
});
