import { type ActionDone, type BreakView, type Direction, leftOf, type Proposal, sizeOf } from '../breaks';
import { counted, formatDinars, type Millimes, negateMillimes, shownText } from '../kernel';
import type { CsvColumn } from './print-csv';
import type { Column } from './print-table';

const CLASS_WIDTH = 25;
const STATUS_WIDTH = 10;
const SEVERITY_WIDTH = 8;
const AMOUNT_WIDTH = 18;
const DIRECTION_WIDTH = 15;

/** The directions as people read them. */
export const DIRECTION_WORDS: Readonly<Record<Direction, string>> = {
  books_have_more: 'ledger has more',
  bank_has_more: 'bank has more',
  may_have_moved: 'may have moved',
  unknown: 'unknown',
};

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
  const direction = DIRECTION_WORDS[each.direction];
  const due = `${each.dueOn}${each.isOverdue ? ' (overdue)' : ''}`;
  return [
    ...[each.id, each.since, each.severity, each.breakClass, each.status, sizeText(each), direction],
    ...[counted(each.ageDays, 'day'), due, shownText(each.assignee ?? ''), writtenOffText(each)],
  ];
}

/** Returns the one line that `show` prints of a break. */
export function breakText(each: BreakView): string {
  const writtenOff = writtenOffText(each);
  const words = [
    each.id,
    each.since,
    each.severity.padEnd(SEVERITY_WIDTH),
    each.breakClass.padEnd(CLASS_WIDTH),
    each.status.padEnd(STATUS_WIDTH),
    sizeText(each).padStart(AMOUNT_WIDTH),
    DIRECTION_WORDS[each.direction].padEnd(DIRECTION_WIDTH),
    `${counted(each.ageDays, 'day')}, due ${each.dueOn}${each.isOverdue ? ' (overdue)' : ''}`,
    ...(each.assignee === undefined ? [] : [shownText(each.assignee)]),
    ...(writtenOff === '' ? [] : [`(${writtenOff})`]),
  ];
  return words.join('  ').trimEnd();
}

/** Returns the text of the written-off part, which a pipe shows without the heading; empty if the part is 0. */
function writtenOffText(each: BreakView): string {
  if (each.writtenOff === 0) return '';
  const left = leftOf(each);
  const rest = left === undefined ? '' : `, ${dinarsOfSize(each, left)} left`;
  return `${dinarsOfSize(each, each.writtenOff)} written off${rest}`;
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
  const state = decision === undefined ? 'waits' : `${decision.outcome} by ${shownText(decision.decidedBy)}${amount}`;
  return `${id}  ${action.kind} by ${shownText(proposedBy)}: ${shownText(reason)}  (${state})`;
}

export function doneText(done: ActionDone | undefined): string {
  if (done?.posted === undefined) return '';
  return `, ${formatDinars(done.posted.amount)} posted as ${done.posted.reference}`;
}

/** Counts breaks by severity, and the overdue ones. */
export function breakSummary(found: readonly BreakView[]): string {
  if (found.length === 0) return 'no breaks';
  const high = found.filter(({ severity }) => severity === 'high').length;
  const medium = found.filter(({ severity }) => severity === 'medium').length;
  const overdue = found.filter(({ isOverdue }) => isOverdue).length;
  return `${counted(found.length, 'break')}: ${high} high, ${medium} medium, ${found.length - high - medium} low; ${overdue} overdue`;
}
