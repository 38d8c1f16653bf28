import type { ProcessState } from '../../../test/support/process-state';
import type { BusyTime } from './cpu-profile';
import type { Case, Measured } from './measure';
import type { StatementsSent } from './statements-sent';

/** Smaller parts of a profile are added up. */
const PART_SHOWN_MIN = 0.005;
const PERCENT = 100;

/** One line of a table: a case as a share of another. */
export interface Pair {
  readonly name: string;
  readonly subject: Case;
  readonly base: Case;
}

/** Returns the ratio of each pair, then the figures of both. */
export function pairTable(
  [subject, base]: readonly [string, string],
  pairs: readonly Pair[],
  measured: ReadonlyMap<Case, Measured>,
): string {
  const rows = pairs.flatMap((pair) => {
    const [of, to] = [measured.get(pair.subject), measured.get(pair.base)];
    if (of === undefined || to === undefined) return [];
    const failures = String(of.failures + to.failures);
    return [[pair.name, (of.perSecond / to.perSecond).toFixed(2), ...figures(of), ...figures(to), failures]];
  });
  const head = [subject, base].flatMap((name) => [`${name}/s`, 'p50 ms', 'p99 ms']);
  return markdownTable(['', `${subject} : ${base}`, ...head, 'failures'], rows);
}

/** Returns what MariaDB executed, for all calls and for each. */
export function statementTable(found: readonly StatementsSent[]): string {
  const rows = found.map(({ call, calls, questions, queries, commits }) => [
    `${calls} ${call}${calls === 1 ? '' : 's'}`,
    ...[questions / calls, questions, queries, commits].map((value) => String(Number(value.toFixed(2)))),
  ]);
  return markdownTable(['', 'round trips a call', 'round trips', 'statements executed', 'commits'], rows);
}

/** Returns what the process of Millime held at some moments. */
export function memoryTable(states: ReadonlyMap<string, ProcessState>): string {
  const rows = [...states].map(([moment, { residentMegabytes, openHandles }]) => [
    moment,
    String(Math.round(residentMegabytes)),
    String(openHandles),
  ]);
  return markdownTable(['', 'resident memory (MB)', 'open handles'], rows);
}

/** Returns the share of the busy time by part of the program, largest first. */
export function profileTable(columns: ReadonlyMap<string, BusyTime>): string {
  const times = [...columns.values()];
  const names = [...new Set(times.flatMap(({ parts }) => [...parts.keys()]))];
  const sharesOf = (name: string): number[] => times.map(({ parts }) => parts.get(name) ?? 0);
  const shown = names
    .filter((name) => Math.max(...sharesOf(name)) >= PART_SHOWN_MIN)
    .sort((a, b) => Math.max(...sharesOf(b)) - Math.max(...sharesOf(a)));
  const rest = times.map(({ parts }) => 1 - shown.reduce((sum, name) => sum + (parts.get(name) ?? 0), 0));
  const line = (name: string, shares: readonly number[]): string[] => [name, ...shares.map(percent)];
  return markdownTable(
    ['', ...columns.keys()],
    [
      ...shown.map((name) => line(name, sharesOf(name))),
      line('other', rest),
      line(
        'busy, of the time',
        times.map(({ busyShare }) => busyShare),
      ),
    ],
  );
}

function figures({ perSecond, p50Ms, p99Ms }: Measured): string[] {
  return [String(Math.round(perSecond)), ...[p50Ms, p99Ms].map((ms) => ms?.toFixed(1) ?? '')];
}

function percent(share: number): string {
  return `${(share * PERCENT).toFixed(1)} %`;
}

/** Returns a Markdown table whose columns are aligned in plain text. All columns except the first are numbers. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(3, name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
