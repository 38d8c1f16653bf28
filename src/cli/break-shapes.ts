import type { ActionDone, BreakEvent, BreakView, Proposal } from '../breaks';
import { formatDinars, formatInstant, millimes, type CsvField, type Millimes } from '../kernel';
import { shownText } from './shown-text';

type Json = Readonly<Record<string, unknown>>;

const CLASS_WIDTH = 25;
const STATUS_WIDTH = 10;
const SEVERITY_WIDTH = 8;
const AMOUNT_WIDTH = 18;

export const BREAK_HEADER = [
  'id',
  'class',
  'status',
  'severity',
  'since',
  'age_days',
  'due_on',
  'overdue',
  'amount_millimes',
  'assignee',
  'items',
  'lines',
  'resolution',
  'written_off_millimes',
  'left_millimes',
] as const;

export function breakCells(each: BreakView): CsvField[] {
  return [
    each.id,
    each.breakClass,
    each.status,
    each.severity,
    each.since,
    each.ageDays,
    each.dueOn,
    each.isOverdue ? 'yes' : 'no',
    each.amount ?? '',
    each.assignee ?? '',
    each.subject.itemIds.length,
    each.subject.lineIds.length,
    each.resolution ?? '',
    each.writtenOff,
    leftOf(each) ?? '',
  ];
}

export function breakJson(each: BreakView): Json {
  return {
    id: each.id,
    class: each.breakClass,
    status: each.status,
    severity: each.severity,
    since: each.since,
    ageDays: each.ageDays,
    dueOn: each.dueOn,
    overdue: each.isOverdue,
    amountMillimes: each.amount ?? null,
    writtenOffMillimes: each.writtenOff,
    leftMillimes: leftOf(each) ?? null,
    assignee: each.assignee ?? null,
    proposalId: each.proposalId ?? null,
    version: each.version,
    itemIds: each.subject.itemIds,
    lineIds: each.subject.lineIds,
    facts: each.subject.facts,
    openedAt: formatInstant(each.openedAt),
    resolvedAt: each.resolvedAt === undefined ? null : formatInstant(each.resolvedAt),
    resolution: each.resolution ?? null,
  };
}

export function eventJson(event: BreakEvent): Json {
  return { ...event, at: formatInstant(event.at) };
}

export function proposalJson({
  id,
  subject,
  breakId,
  action,
  reason,
  proposedBy,
  proposedAt,
  decision,
}: Proposal): Json {
  return {
    id,
    subject,
    breakId: breakId ?? null,
    action,
    reason,
    proposedBy,
    proposedAt: formatInstant(proposedAt),
    decision:
      decision === undefined
        ? null
        : {
            outcome: decision.outcome,
            reason: decision.reason ?? null,
            decidedBy: decision.decidedBy,
            decidedAt: formatInstant(decision.decidedAt),
            postedAs: decision.postedAs ?? null,
            amountMillimes: decision.amount ?? null,
          },
  };
}

export function doneJson(done: ActionDone | undefined): Json | null {
  if (done === undefined) return null;
  const { breakBecomes, detail = {}, posted } = done;
  const money = posted === undefined ? {} : { reference: posted.reference, amountMillimes: posted.amount };
  return { breakBecomes: breakBecomes.kind, ...detail, ...money };
}

/** One break on one line. It begins with the id, so that the lines can be given back to a command. */
export function breakText(each: BreakView): string {
  const words = [
    each.id,
    each.since,
    each.severity.padEnd(SEVERITY_WIDTH),
    each.breakClass.padEnd(CLASS_WIDTH),
    each.status.padEnd(STATUS_WIDTH),
    (each.amount === undefined ? '' : formatDinars(each.amount)).padStart(AMOUNT_WIDTH),
    `${each.ageDays} days, due ${each.dueOn}${each.isOverdue ? ' (overdue)' : ''}`,
    ...(each.assignee === undefined ? [] : [shownText(each.assignee)]),
    ...writtenOffText(each),
  ];
  return words.join('  ').trimEnd();
}

/** Nothing while nothing is written off. */
function writtenOffText(each: BreakView): string[] {
  if (each.writtenOff === 0) return [];
  const left = leftOf(each);
  return [`(${formatDinars(each.writtenOff)} written off${left === undefined ? '' : `, ${formatDinars(left)} left`})`];
}

/** What of its amount is not written off. */
function leftOf({ amount, writtenOff }: BreakView): Millimes | undefined {
  return amount === undefined ? undefined : millimes(amount - writtenOff);
}

export function proposalText({ id, subject, action, reason, proposedBy, decision }: Proposal): string {
  const state = decision === undefined ? 'waits' : `${decision.outcome} by ${decision.decidedBy}`;
  const payload = shownText(JSON.stringify(action.payload));
  return `${id}  ${subject}  ${action.kind} ${payload}  by ${proposedBy}: ${shownText(reason)}  (${state})`;
}

export function doneText(done: ActionDone | undefined): string {
  if (done?.posted === undefined) return '';
  return `, ${formatDinars(done.posted.amount)} posted as ${done.posted.reference}`;
}

/** How many, how urgent, how late. */
export function breakSummary(found: readonly BreakView[]): string {
  if (found.length === 0) return 'no breaks';
  const high = found.filter(({ severity }) => severity === 'high').length;
  const medium = found.filter(({ severity }) => severity === 'medium').length;
  const overdue = found.filter(({ isOverdue }) => isOverdue).length;
  return `${found.length} breaks: ${high} high, ${medium} medium, ${found.length - high - medium} low; ${overdue} overdue`;
}
