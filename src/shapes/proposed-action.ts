import { z } from 'zod';
import { itemIdsField } from './item-choice';
import { idValue } from './values';

const AMOUNT_MAX = 999_999_999_999_999;

/** An action that two people decide, with its parameters. */
export const proposedActionField = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('write_off'),
      payload: z
        .strictObject({
          account: z
            .string()
            .min(1)
            .max(100)
            .optional()
            .meta({ description: 'Needed if several accounts have a rest.', example: 'gateway_clearing:agent' }),
          amountMillimes: z
            .int()
            .min(1)
            .max(AMOUNT_MAX)
            .optional()
            .meta({ description: 'All that is left if absent.' }),
        })
        .default({}),
    }),
    z.strictObject({ kind: z.literal('accept'), payload: z.strictObject({}).default({}) }),
    z.strictObject({ kind: z.literal('reopen'), payload: z.strictObject({}).default({}) }),
    z.strictObject({
      kind: z.literal('force_match'),
      payload: z.strictObject({
        lineId: idValue.optional().meta({ description: 'The only line of the break if absent.' }),
        itemIds: itemIdsField,
      }),
    }),
    z.strictObject({
      kind: z.literal('unmatch'),
      payload: z.strictObject({ lineId: idValue.optional() }).default({}),
    }),
  ])
  .meta({ id: 'ProposedAction' });

/** An action on a credit without a break. The credit is its line. */
export const creditActionField = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('force_match'), payload: z.strictObject({ itemIds: itemIdsField }) }),
    z.strictObject({ kind: z.literal('unmatch'), payload: z.strictObject({}).default({}) }),
  ])
  .meta({ id: 'ProposedCreditAction' });
