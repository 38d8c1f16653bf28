import { z } from 'zod';
import {
  BREAK_CLASSES,
  BREAK_EVENT_KINDS,
  BREAK_STATUSES,
  type BreakEvent,
  type BreakFilter,
  type BreakView,
  DIRECTIONS,
  leftOf,
  SEVERITIES,
  sizeOf,
  type WriteOffPlace,
} from '../breaks';
import { formatInstant, millimes } from '../kernel';
import { BREAK_ROWS_MAX, type BreakRows } from '../reporting';
import { minorUnitsText } from '../statements';
import { amountText } from './statements';
import { dayValue, idValue, instantJson, instantValue, millimesValue, totalJson, totalValue } from './values';

/** Facts, references and amounts that differ by kind. */
export const factsValue = z.record(z.string(), z.union([z.string(), z.number()]));

/** The side of a break that has more. */
export const directionValue = z.enum(DIRECTIONS);

/** A break with its urgency and its rows. */
export const breakValue = z
  .strictObject({
    id: idValue,
    class: z.enum(BREAK_CLASSES),
    status: z.enum(BREAK_STATUSES),
    severity: z.enum(SEVERITIES),
    since: dayValue.meta({ description: 'The day from which it ages.' }),
    ageDays: z.int().meta({ description: 'Working days up to the last day that bank statements cover.' }),
    dueOn: dayValue,
    overdue: z.boolean(),
    amountMillimes: millimesValue.nullable().meta({ description: 'Its sign depends on the finder: read the size.' }),
    sizeMillimes: millimesValue.nullable().meta({ description: '0 or more; null if it is not known.' }),
    direction: directionValue,
    writtenOffMillimes: millimesValue.meta({ description: 'With the sign of the amount.' }),
    leftMillimes: millimesValue.nullable().meta({ description: 'The amount less what is written off.' }),
    assignee: z.string().nullable(),
    proposalId: idValue.nullable().meta({ description: 'The proposal that waits for another person.' }),
    version: z.int().meta({ description: 'The number of events in its history; its ETag.' }),
    itemIds: z.array(z.string()),
    lineIds: z.array(z.string()),
    facts: factsValue,
    openedAt: instantValue,
    resolvedAt: instantValue.nullable(),
    resolution: z.string().nullable().meta({ example: 'written_off' }),
  })
  .meta({ id: 'Break' });

/** One event in the history of a break. */
export const breakEventValue = z
  .strictObject({
    position: z.int(),
    kind: z.enum(BREAK_EVENT_KINDS),
    actor: z.string(),
    at: instantValue,
    detail: factsValue,
  })
  .meta({ id: 'BreakEvent' });

/** An account in which a break may be written off. */
export const writeOffPlaceValue = z
  .strictObject({
    account: z.string().meta({ example: 'gateway_clearing:agent' }),
    effect: z.enum(['loss', 'gain']),
    leftMillimes: millimesValue.meta({ description: 'The amount that may still be written off there; never below 0.' }),
  })
  .meta({ id: 'WriteOffPlace' });

/** Returns a break as JSON. */
export function breakJson(each: BreakView): z.input<typeof breakValue> {
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
    sizeMillimes: sizeOf(each) ?? null,
    direction: each.direction,
    writtenOffMillimes: each.writtenOff,
    leftMillimes: leftOf(each) ?? null,
    assignee: each.assignee ?? null,
    proposalId: each.proposalId ?? null,
    version: each.version,
    itemIds: [...each.subject.itemIds],
    lineIds: [...each.subject.lineIds],
    facts: each.subject.facts,
    openedAt: formatInstant(each.openedAt),
    resolvedAt: instantJson(each.resolvedAt),
    resolution: each.resolution ?? null,
  };
}

/** The filter of a list of breaks, as its parameters state it. */
interface BreakParameters {
  readonly class?: BreakFilter['classes'];
  readonly status?: BreakFilter['statuses'];
  readonly severity?: BreakFilter['severities'];
  readonly assignee?: string | undefined;
  readonly unassigned?: boolean | undefined;
  readonly minAmountMillimes?: number | undefined;
  readonly since?: BreakFilter['since'];
  readonly overdue?: boolean | undefined;
}

/** Returns the filter that parameters state. Unassigned breaks have no assignee. */
export function breakFilterOf(parameters: BreakParameters): BreakFilter {
  const { class: classes, status: statuses, severity: severities, since, minAmountMillimes: least } = parameters;
  const assignee = parameters.unassigned === true ? null : parameters.assignee;
  const minAmount = least === undefined ? undefined : millimes(least);
  return { classes, statuses, severities, since, assignee, minAmount, overdueOnly: parameters.overdue === true };
}

/** Returns an event as JSON. */
export function breakEventJson(event: BreakEvent): z.input<typeof breakEventValue> {
  return { ...event, at: formatInstant(event.at) };
}

/** Returns a place of write-offs as JSON. */
export function writeOffPlaceJson({ account, effect, left }: WriteOffPlace): z.input<typeof writeOffPlaceValue> {
  return { account, effect, leftMillimes: left };
}

const breakLineValue = z.strictObject({
  lineId: idValue,
  statementId: idValue,
  account: z.string(),
  currency: z.string(),
  bookingDate: dayValue,
  valueDate: dayValue.nullable(),
  amount: amountText.meta({ description: 'Positive: credit.' }),
  amountMillimes: millimesValue.nullable().meta({ description: 'Null for another currency than dinars.' }),
  counterparty: z.string(),
  remittance: z.string(),
  bankReference: z.string(),
});

const breakItemValue = z.strictObject({
  itemId: z.string(),
  channel: z.string(),
  agentId: z.string().nullable(),
  amountMillimes: millimesValue.meta({ description: 'Negative for a refund.' }),
  occurredAt: instantValue,
  paidBy: idValue.nullable().meta({ description: 'The credit whose match holds it now.' }),
});

/** The rows of the bank and of the ledger that a break names. */
export const breakRowsValue = z
  .strictObject({
    lines: z.array(breakLineValue).meta({ description: `The first ${BREAK_ROWS_MAX} lines of the bank.` }),
    items: z.array(breakItemValue).meta({ description: `The first ${BREAK_ROWS_MAX} items of the ledger.` }),
    lineCount: z.int(),
    itemCount: z.int().meta({ description: 'Also items that the ledger does not have.' }),
    itemsMillimes: totalValue.nullable().meta({ description: 'The sum of all items; null beyond 2,000 items.' }),
  })
  .meta({ id: 'BreakRows' });

/** Returns the rows of a break as JSON. */
export function breakRowsJson(
  { itemIds, lineIds }: BreakView['subject'],
  { lines, items, itemsAmount }: BreakRows,
): z.input<typeof breakRowsValue> {
  return {
    lines: lines.map(({ amountMinor, valueDate, ...line }) => ({
      ...{ ...line, valueDate: valueDate ?? null, amount: minorUnitsText(amountMinor, line.currency) },
      amountMillimes: line.currency === 'TND' ? amountMinor : null,
    })),
    items: items.map(({ itemId, channel, agentId, amount, occurredAt, paidBy }) => ({
      ...{ itemId, channel, agentId: agentId ?? null, amountMillimes: amount },
      ...{ occurredAt: instantJson(occurredAt), paidBy: paidBy ?? null },
    })),
    ...{ lineCount: lineIds.length, itemCount: itemIds.length },
    itemsMillimes: itemsAmount === undefined ? null : totalJson(itemsAmount),
  };
}
