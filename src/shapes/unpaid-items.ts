import { z } from 'zod';
import type { UnpaidList } from '../reconciliation';
import { dayValue, idValue, instantJson, instantValue, millimesValue, totalJson, totalValue } from './values';

const unpaidItem = z
  .strictObject({
    itemId: z.string(),
    channel: z.string(),
    agentId: z.string().nullable(),
    amountMillimes: millimesValue,
    feeMillimes: millimesValue,
    tvaMillimes: millimesValue,
    succeededAt: instantValue,
    availableUntil: instantValue,
    latestOn: dayValue.nullable().meta({ description: 'The last day on which it is still in time.' }),
    late: z.boolean(),
    sumMillimes: totalValue.meta({ description: 'The sum of the list up to this item.' }),
    netMillimes: totalValue.meta({ description: 'The sum less the fees in force.' }),
    leftMillimes: totalValue.optional().meta({ description: 'What the credit has left.' }),
  })
  .meta({ id: 'UnpaidItem' });

/** A page of unpaid items with running sums. */
export const unpaidListValue = z.strictObject({
  items: z.array(unpaidItem),
  count: z.int(),
  sumMillimes: totalValue,
  netMillimes: totalValue,
  creditMillimes: millimesValue.nullable(),
  nearest: z
    .strictObject({ itemId: z.string(), leftMillimes: totalValue })
    .nullable()
    .meta({ description: 'The item up to which the sum is nearest to the credit.' }),
  hasMore: z.boolean(),
  nextAfter: z.string().nullable(),
});

/** A credit to compare with, in a query. */
export const creditIdField = idValue.meta({ description: 'A credit to compare the sums with.' });

/** Returns a page of unpaid items as JSON. */
export function unpaidListJson({
  rows,
  hasMore,
  count,
  sum,
  net,
  credit,
  nearest,
}: UnpaidList): z.input<typeof unpaidListValue> {
  return {
    items: rows.map((item) => ({
      itemId: item.itemId,
      channel: item.channel,
      agentId: item.agentId ?? null,
      amountMillimes: item.amount,
      feeMillimes: item.fee,
      tvaMillimes: item.tva,
      succeededAt: instantJson(item.succeededAt),
      availableUntil: instantJson(item.availableAt),
      latestOn: item.dueOn ?? null,
      late: item.isLate,
      sumMillimes: totalJson(item.sum),
      netMillimes: totalJson(item.net),
      ...(credit === undefined ? {} : { leftMillimes: totalJson(BigInt(credit.amount) - item.net) }),
    })),
    count,
    sumMillimes: totalJson(sum),
    netMillimes: totalJson(net),
    creditMillimes: credit?.amount ?? null,
    nearest: nearest === undefined ? null : { itemId: nearest.itemId, leftMillimes: totalJson(nearest.left) },
    hasMore,
    nextAfter: hasMore ? (rows.at(-1)?.itemId ?? null) : null,
  };
}
