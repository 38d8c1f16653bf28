import { SECOND_MS } from '../../../src/kernel';
import { addCounts } from './add-counts';
import { calibrationRows } from './calibration';
import { breakShares, exactShare, percent } from './goals';
import type { Counts, WorldScore } from './world-score';

const TOTAL = 'all';

interface Column {
  readonly head: string;
  readonly cell: (counts: Counts) => string;
}

const COLUMNS: readonly Column[] = [
  { head: 'worlds', cell: ({ worlds }) => String(worlds) },
  { head: 'items', cell: ({ items }) => String(items) },
  { head: 'credits', cell: ({ credits }) => String(credits) },
  { head: 'ceiling', cell: ({ resolvable }) => String(resolvable) },
  { head: 'exact', cell: ({ strict }) => String(strict.exact) },
  { head: 'share', cell: ({ strict, resolvable }) => percent(exactShare(strict.exactResolvable, resolvable)) },
  { head: 'wrong', cell: ({ strict }) => String(strict.wrong.length) },
  { head: 'share 5e-3', cell: ({ loose, resolvable }) => percent(exactShare(loose.exactResolvable, resolvable)) },
  { head: 'wrong', cell: ({ loose }) => String(loose.wrong.length) },
  { head: 'claimed', cell: ({ strict }) => strict.claimedErrorSum.toFixed(3) },
  { head: 'ambig.', cell: ({ strict }) => String(strict.ambiguous) },
  { head: 'unexpl.', cell: ({ strict }) => String(strict.unexplained) },
  { head: 'limit', cell: ({ strict }) => String(strict.cutShort) },
  { head: 'core false', cell: ({ strict }) => String(strict.commonCoreFalse) },
  { head: 'prop. r/w', cell: ({ strict }) => `${strict.proposalsRight}/${strict.proposalsWrong}` },
  { head: 'cuts right', cell: ({ strict }) => percent(exactShare(strict.cutsRight, strict.cutsStated)) },
  { head: 'decoys', cell: ({ decoysResolved, decoys }) => `${decoysResolved}/${decoys}` },
  { head: 'beside', cell: ({ withDecoys, resolvable }) => percent(exactShare(withDecoys.exactResolvable, resolvable)) },
  {
    head: 'breaks p/r',
    cell: ({ breaks }) => `${percent(breakShares(breaks).precision)}/${percent(breakShares(breaks).recall)}`,
  },
  { head: 'items/s', cell: ({ items, tookMs }) => String(Math.round((items / Math.max(tookMs, 1)) * SECOND_MS)) },
];

/** Returns one line for each scenario and one for all of them. */
export function scoreTable(scores: readonly WorldScore[]): string {
  const names = [...new Set(scores.map(({ scenario }) => scenario))];
  const rows = names.map((name) => ({ name, counts: addCounts(scores.filter(({ scenario }) => scenario === name)) }));
  return aligned([
    ['', ...COLUMNS.map(({ head }) => head)],
    ...[...rows, { name: TOTAL, counts: addCounts(scores) }].map(({ name, counts }) => [
      name,
      ...COLUMNS.map(({ cell }) => cell(counts)),
    ]),
  ]);
}

/** Returns one line for each class of break. */
export function breakTable({ breaks }: Counts): string {
  return aligned([
    ['break', 'justified', 'found', 'recall', 'reported', 'right', 'precision'],
    ...Object.entries(breaks)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { justified, justifiedFound, reported, reportedRight }]) => [
        name,
        ...[justified, justifiedFound].map(String),
        percent(exactShare(justifiedFound, justified)),
        ...[reported, reportedRight].map(String),
        percent(exactShare(reportedRight, reported)),
      ]),
  ]);
}

/** Returns one line for each grade of evidence. Grades are never added up. */
export function evidenceTable({ evidence }: Counts): string {
  return aligned([['evidence', 'items'], ...Object.entries(evidence).map(([grade, items]) => [grade, String(items)])]);
}

/** Returns one line for each decade of claimed errors, counted by world, and one for all decades. */
export function calibrationTable({ calibration }: Counts): string {
  return aligned([
    ['claimed from', 'expl.', 'wrong', 'claimed', 'worlds', 'with wrong', 'expected', 'verdict'],
    ...calibrationRows(calibration).map((row) => [
      row.decade === undefined ? TOTAL : `1e${row.decade}`,
      ...[row.explanations, row.wrong.length].map(String),
      row.claimed.toFixed(3),
      ...[row.worlds, row.worldsWrong].map(String),
      `${row.worldsExpectedMin.toFixed(2)} to ${row.worldsExpectedMax.toFixed(2)}`,
      row.verdict,
    ]),
  ]);
}

function aligned(cells: readonly (readonly string[])[]): string {
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
