// Goal: no page reads more rows when the books grow, and a new page states its bound.
// Method: the bench of the pages with books that have more rows than any bound, on a MariaDB server of its own, because
// the rows that a server reads are counted for all of its connections.
import { describe, expect, test } from '@jest/globals';
import { benchNewPages, pagesWithoutBound } from '../../scripts/bench/pages/bench-pages';
import { MariaDbServer } from '../support/mariadb-server';

const LIMIT_MS = 300_000;
const SIZE = { agents: 2_500, payments: 25_000 };

describe('the rows that a page reads', () => {
  test('have a bound for every page', () => {
    expect(pagesWithoutBound()).toEqual([]);
  });

  (MariaDbServer.isInstalled() ? test : test.skip)(
    'stay within it',
    async () => {
      const measured = await benchNewPages({ size: SIZE, repeats: 1, report: () => undefined });
      const above = measured.filter(({ rowsRead = Number.NaN, rowsMax }) => !(rowsRead <= rowsMax));
      expect(above.map(({ page: { address }, rowsRead, rowsMax }) => ({ address, rowsRead, rowsMax }))).toEqual([]);
    },
    LIMIT_MS,
  );
});
