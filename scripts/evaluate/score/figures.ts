import { addCounts } from './add-counts';
import { calibrationRows } from './calibration';
import { breakShares, exactShare, percent } from './goals';
import type { Counts, CreditScore, WorldScore } from './world-score';

/** Returns the tables of docs/EVALUATION.md as Markdown. */
export function figuresMarkdown(scores: readonly WorldScore[]): string {
  const counts = addCounts(scores);
  return [figureTable(counts), decadeTable(counts), breakTable(counts), scenarioTable(scores)].join('\n\n');
}

function figureTable(counts: Counts): string {
  const { strict, loose, withDecoys, resolvable } = counts;
  const { precision, recall } = breakShares(counts.breaks);
  const shareOf = ({ exactResolvable }: CreditScore): string => percent(exactShare(exactResolvable, resolvable));
  return table([
    ['figure', 'value'],
    ['worlds, items, credits', `${counts.worlds}, ${counts.items}, ${counts.credits}`],
    ['resolvable', String(resolvable)],
    ['exact at 1e-3, wrong', `${shareOf(strict)}, ${strict.wrong.length}`],
    ['exact at 5e-3, wrong', `${shareOf(loose)}, ${loose.wrong.length}`],
    ['claimed errors at 1e-3', strict.claimedErrorSum.toFixed(2)],
    ['claimed errors at 5e-3', loose.claimedErrorSum.toFixed(2)],
    [
      'decoys resolved',
      `${counts.decoysResolved} of ${counts.decoys}; the others beside them ${shareOf(withDecoys)} exact, ${withDecoys.wrong.length} wrong`,
    ],
    ['false common cores', String(strict.commonCoreFalse + loose.commonCoreFalse + withDecoys.commonCoreFalse)],
    ['proposals right, wrong', `${strict.proposalsRight}, ${strict.proposalsWrong}`],
    ['breaks, precision and recall', `${percent(precision)}, ${percent(recall)}`],
  ]);
}

function decadeTable({ calibration }: Counts): string {
  return table([
    ['claimed from', 'explanations', 'wrong', 'claimed', 'worlds', 'with a wrong one', 'expected', 'verdict'],
    ...calibrationRows(calibration).map((row) => [
      row.decade === undefined ? 'all' : `1e${row.decade}`,
      String(row.explanations),
      String(row.wrong.length),
      row.claimed.toFixed(3),
      String(row.worlds),
      String(row.worldsWrong),
      `${row.worldsExpectedMin.toFixed(2)} to ${row.worldsExpectedMax.toFixed(2)}`,
      row.verdict,
    ]),
  ]);
}

function breakTable({ breaks }: Counts): string {
  const sorted = Object.entries(breaks).sort(([a], [b]) => (a < b ? -1 : 1));
  return table([
    ['break', 'justified', 'recall', 'reported', 'precision'],
    ...sorted.map(([name, { justified, justifiedFound, reported, reportedRight }]) => [
      name,
      String(justified),
      percent(exactShare(justifiedFound, justified)),
      String(reported),
      percent(exactShare(reportedRight, reported)),
    ]),
  ]);
}

function scenarioTable(scores: readonly WorldScore[]): string {
  const names = [...new Set(scores.map(({ scenario }) => scenario))];
  return table([
    ['scenario', 'credits', 'resolvable', 'exact at 1e-3', 'exact at 5e-3', 'claimed'],
    ...names.map((name) => {
      const counts = addCounts(scores.filter(({ scenario }) => scenario === name));
      return [
        `\`${name}\``,
        String(counts.credits),
        String(counts.resolvable),
        percent(exactShare(counts.strict.exactResolvable, counts.resolvable)),
        percent(exactShare(counts.loose.exactResolvable, counts.resolvable)),
        counts.strict.claimedErrorSum.toFixed(3),
      ];
    }),
  ]);
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
