import { describe, expect, test } from '@jest/globals';
import { partName } from '../../../../scripts/bench/service/cpu-profile';
import type { Case, Measured } from '../../../../scripts/bench/service/measure';
import { pairTable } from '../../../../scripts/bench/service/service-tables';
import { median } from '../../../support/median';

const caseOf = (name: string): Case => ({ name, measure: () => Promise.reject(new Error('not measured')) });

describe('pairTable', () => {
  test('prints the ratio first, then the figures of both sides and all failures', () => {
    const [subject, base] = [caseOf('millime'), caseOf('rows')];
    const measured = new Map<Case, Measured>([
      [subject, { perSecond: 1_500.4, p50Ms: 2.04, p99Ms: 11, failures: 2 }],
      [base, { perSecond: 3_000, p50Ms: undefined, p99Ms: undefined, failures: 1 }],
    ]);
    expect(pairTable(['Millime', 'rows'], [{ name: 'confirm', subject, base }], measured)).toBe(
      [
        '|         | Millime : rows | Millime/s | p50 ms | p99 ms | rows/s | p50 ms | p99 ms | failures |',
        '| ------- | -------------: | --------: | -----: | -----: | -----: | -----: | -----: | -------: |',
        '| confirm |           0.50 |      1500 |    2.0 |   11.0 |   3000 |        |        |        3 |',
      ].join('\n'),
    );
  });
});

describe('median', () => {
  test.each([
    [[7], 7],
    [[9, 1, 4], 4],
    [[8, 2], 5],
  ])('returns of %j the value in the middle: %d', (values, middle) => {
    expect(median(values)).toBe(middle);
  });
});

describe('partName', () => {
  test.each([
    ['file:///app/dist/src/http/guard.js', '', 'src/http'],
    ['file:///app/dist/src/app.js', '', 'src/app'],
    ['file:///app/node_modules/knex/node_modules/@scope/pool/lib/a.js', '', 'node_modules/@scope/pool'],
    ['node:internal/streams/writable', '', 'node:internal/streams'],
    ['node:_http_server', '', 'node:_http_server'],
    ['', 'writev', 'native writev'],
    ['', '(garbage collector)', '(garbage collector)'],
  ])('names %j %j as %j', (url, functionName, part) => {
    expect(partName({ url, functionName })).toBe(part);
  });
});
