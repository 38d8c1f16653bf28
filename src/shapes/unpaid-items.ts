import { z } from 'zod';
import type { UnpaidList, WaitingPage } from '../reconciliation';
import { dayValue, idValue, instantJson, instantValue, millimesValue, totalJson, totalValue } from './values';

const itemFields = {
  itemId: z.string(),
  channel: z.string(),
  agentId: z.string().nullable(),
  amountMillimes: millimesValue,
  feeMillimes: millimesValue,
  tvaMillimes: millimesValue,
  succeededAt: instantValue,
  availableUntil: instantValue,
  usuallyOn: dayValue.nullable().meta({ description: 'The day on which the bank should book it by its habits.' }),
  latestOn: dayValue.nullable().meta({ description: 'The last day on which it is still in time.' }),
  late: z.boolean(),
  sumMillimes: totalValue.meta({ description: 'The sum of the list up to this item.' }),
  netMillimes: totalValue.meta({ description: 'The sum less the fees in force.' }),
};

/** An item that no credit paid, in a list with running sums. */
export const unpaidItemValue = z.strictObject(itemFields).meta({ id: 'UnpaidItem' });

/** The run that found the items, its last day, and when it began to read. */
export const waitingAsOfValue = z
  .strictObject({ runId: z.string(), through: dayValue, knownAt: instantValue })
  .nullable()
  .meta({ id: 'AsOfRun', description: 'The run that found these items; null before the first run.' });

/** The sums of the unpaid items of a selection, beside a credit. */
export const unpaidSumsValue = z
  .strictObject({
    count: z.int(),
    sumMillimes: totalValue,
    netMillimes: totalValue,
    creditMillimes: millimesValue.nullable(),
    nearest: z
      .strictObject({ itemId: z.string(), leftMillimes: totalValue })
      .nullable()
      .meta({ description: 'The item up to which the sum is nearest to the credit.' }),
  })
  .meta({ id: 'UnpaidSums' });

/** A credit to compare with, in a query. */
export const creditIdField = idValue.meta({ description: 'A credit to compare the sums with.' });

type Summed = UnpaidList['rows'][number];

/** Returns an unpaid item as JSON. */
export function unpaidItemJson(item: Summed): z.input<typeof unpaidItemValue> {
  return {
    itemId: item.itemId,
    channel: item.channel,
    agentId: item.agentId ?? null,
    amountMillimes: item.amount,
    feeMillimes: item.fee,
    tvaMillimes: item.tva,
    succeededAt: instantJson(item.succeededAt),
    availableUntil: instantJson(item.availableAt),
    usuallyOn: item.usuallyOn ?? null,
    latestOn: item.dueOn ?? null,
    late: item.isLate,
    sumMillimes: totalJson(item.sum),
    netMillimes: totalJson(item.net),
  };
}

/** Returns what the unpaid items are as of, as JSON. */
export function waitingAsOfJson({ asOf }: Pick<WaitingPage, 'asOf'>): z.input<typeof waitingAsOfValue> {
  return asOf === undefined ? null : { ...asOf, knownAt: instantJson(asOf.knownAt) };
}

/** Returns the sums of unpaid items as JSON. */
export function unpaidSumsJson({ count, sum, net, credit, nearest }: UnpaidList): z.input<typeof unpaidSumsValue> {
  return {
    count,
    sumMillimes: totalJson(sum),
    netMillimes: totalJson(net),
    creditMillimes: credit?.amount ?? null,
    nearest: nearest === undefined ? null : { itemId: nearest.itemId, leftMillimes: totalJson(nearest.left) },
  };
}

/** Returns a page of unpaid items and their sums as the command line prints it. */
export function unpaidListJson(list: UnpaidList): object {
  const { rows, credit, hasMore } = list;
  const left = ({ net }: Summed): object =>
    credit === undefined ? {} : { leftMillimes: totalJson(BigInt(credit.amount) - net) };
  return {
    items: rows.map((item) => ({ ...unpaidItemJson(item), ...left(item) })),
    ...unpaidSumsJson(list),
    hasMore,
    nextAfter: hasMore ? (rows.at(-1)?.itemId ?? null) : null,
  };
}
