import { type ActionDone, type BreakView, type Direction, leftOf, type Proposal, sizeOf } from '../breaks';
import { formatDinars, type Millimes, negateMillimes, shownText } from '../kernel';
import { colon, t, word } from './language';
import type { CsvColumn } from './print-csv';
import type { Column } from './print-table';

const CLASS_WIDTH = 25;
const STATUS_WIDTH = 10;
const SEVERITY_WIDTH = 8;
const AMOUNT_WIDTH = 18;
const DIRECTION_WIDTH = 15;

/** Returns a direction as people read it. */
export function directionText(direction: Direction): string {
  return t(`cli:direction.${direction}`);
}

export const BREAK_CSV: readonly CsvColumn<BreakView>[] = [
  ['id', ({ id }) => id],
  ['class', ({ breakClass }) => breakClass],
  ['status', ({ status }) => status],
  ['severity', ({ severity }) => severity],
  ['since', ({ since }) => since],
  ['age_days', ({ ageDays }) => ageDays],
  ['due_on', ({ dueOn }) => dueOn],
  ['overdue', ({ isOverdue }) => (isOverdue ? 'yes' : 'no')],
  ['amount_millimes', ({ amount }) => amount ?? ''],
  ['assignee', ({ assignee }) => assignee ?? ''],
  ['items', ({ subject }) => subject.itemIds.length],
  ['lines', ({ subject }) => subject.lineIds.length],
  ['resolution', ({ resolution }) => resolution ?? ''],
  ['written_off_millimes', ({ writtenOff }) => writtenOff],
  ['left_millimes', (each) => leftOf(each) ?? ''],
  ['size_millimes', (each) => sizeOf(each) ?? ''],
  ['direction', ({ direction }) => direction],
];

export const BREAK_COLUMNS: readonly Column[] = [
  ...['id', 'since', 'severity', 'class', 'status', { right: 'amount' }, 'direction'],
  ...[{ right: 'age' }, 'due', 'assignee', 'written off'],
];

/** Returns the cells of a list. The first one is the id, so that another command can read the list. */
export function breakRow(each: BreakView): string[] {
  const direction = directionText(each.direction);
  const due = `${each.dueOn}${overdueText(each)}`;
  return [
    ...[each.id, each.since, ...stateWords(each), sizeText(each), direction],
    ...[t('cli:count.day', { count: each.ageDays }), due, shownText(each.assignee ?? ''), writtenOffText(each)],
  ];
}

/** Returns the one line that `show` prints of a break. */
export function breakText(each: BreakView): string {
  const writtenOff = writtenOffText(each);
  const [severity, breakClass, status] = stateWords(each);
  const words = [
    each.id,
    each.since,
    severity.padEnd(SEVERITY_WIDTH),
    breakClass.padEnd(CLASS_WIDTH),
    status.padEnd(STATUS_WIDTH),
    sizeText(each).padStart(AMOUNT_WIDTH),
    directionText(each.direction).padEnd(DIRECTION_WIDTH),
    `${t('cli:count.day', { count: each.ageDays })}, ${t('cli:breaks.due', { dueOn: each.dueOn })}${overdueText(each)}`,
    ...(each.assignee === undefined ? [] : [shownText(each.assignee)]),
    ...(writtenOff === '' ? [] : [`(${writtenOff})`]),
  ];
  return words.join('  ').trimEnd();
}

/** Returns the severity, the class and the status of a break. */
function stateWords({ severity, breakClass, status }: BreakView): [string, string, string] {
  return [word('severity', severity), word('breakClass', breakClass), word('breakStatus', status)];
}

function overdueText({ isOverdue }: BreakView): string {
  return isOverdue ? ` (${t('cli:breaks.overdue')})` : '';
}

/** Returns the text of the written-off part, which a pipe shows without the heading; empty if the part is 0. */
function writtenOffText(each: BreakView): string {
  if (each.writtenOff === 0) return '';
  const left = leftOf(each);
  const rest = left === undefined ? '' : `, ${t('cli:breaks.left', { amount: dinarsOfSize(each, left) })}`;
  return t('cli:breaks.writtenOff', { amount: dinarsOfSize(each, each.writtenOff) }) + rest;
}

/** Returns the size of the amount; empty if it is unknown. */
function sizeText({ amount }: BreakView): string {
  return amount === undefined ? '' : dinarsOfSize({ amount }, amount);
}

/** Returns a part of a break as its size: below 0 only if it is on the other side than the whole. */
function dinarsOfSize({ amount }: Pick<BreakView, 'amount'>, part: Millimes): string {
  return formatDinars(amount !== undefined && amount < 0 ? negateMillimes(part) : part);
}

/** Returns the line of a decided proposal. */
export function proposalText({ id, action, reason, proposedBy, decision }: Proposal): string {
  const amount = decision?.amount === undefined ? '' : `, ${formatDinars(decision.amount)}`;
  const by = decision === undefined ? '' : shownText(decision.decidedBy);
  const state =
    decision === undefined
      ? t('cli:breaks.waits')
      : t('cli:breaks.decided', { outcome: word('proposalOutcome', decision.outcome), by }) + amount;
  const proposed = t('cli:breaks.proposed', { kind: word('action', action.kind), by: shownText(proposedBy) });
  return `${id}  ${colon(proposed, shownText(reason))}  (${state})`;
}

export function doneText(done: ActionDone | undefined): string {
  if (done?.posted === undefined) return '';
  const { amount, reference } = done.posted;
  return `, ${t('cli:breaks.posted', { amount: formatDinars(amount), reference })}`;
}

/** Counts breaks by severity, and the overdue ones. */
export function breakSummary(found: readonly BreakView[]): string {
  if (found.length === 0) return t('cli:breaks.none');
  const high = found.filter(({ severity }) => severity === 'high').length;
  const medium = found.filter(({ severity }) => severity === 'medium').length;
  const overdue = found.filter(({ isOverdue }) => isOverdue).length;
  const low = found.length - high - medium;
  return colon(
    t('cli:count.break', { count: found.length }),
    t('cli:breaks.bySeverity', { high, medium, low, overdue }),
  );
}
