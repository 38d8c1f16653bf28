import { z } from 'zod';
import { parseInstant } from '../kernel';
import { CHANNELS } from '../payout-inference';
import type { ItemBound, ItemChoice } from '../reconciliation';
import { instantValue, outsideIdField } from './values';

const ITEMS_MAX = 10_000;
const ITEM_ID_CHARACTERS_MAX = 300;

/** The id of an item, in full. */
export const itemIdField = z
  .string()
  .min(1)
  .max(ITEM_ID_CHARACTERS_MAX)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), { error: 'expected the id of an item' })
  .meta({ example: 'service:T-1' });

/** The ids of items, in full. */
export const itemIdsField = z.array(itemIdField).min(1).max(ITEMS_MAX);

const boundField = z
  .union([
    z.strictObject({ itemId: itemIdField.meta({ description: 'An id, or a unique beginning of one.' }) }),
    z.strictObject({
      at: instantValue
        .refine((text) => parseInstant(text) !== undefined, {
          error: 'expected an instant such as 2026-03-02T09:00:00.000Z',
        })
        .meta({ description: 'An instant at which items became available.' }),
    }),
  ])
  .meta({ description: 'An end of a run of items; it is included.' });

/** Items by their ids, or a run of the unpaid items. */
export const itemChoiceField = z
  .union([
    z.strictObject({ itemIds: itemIdsField }),
    z.strictObject({
      selection: z.strictObject({
        channels: z.array(z.enum(CHANNELS)).min(1).optional(),
        agentId: outsideIdField.optional(),
        from: boundField.optional(),
        through: boundField.optional(),
      }),
    }),
  ])
  .meta({ id: 'ItemChoice' });

/** Returns the choice that a body states. */
export function itemChoiceOf(choice: z.output<typeof itemChoiceField>): ItemChoice {
  if ('itemIds' in choice) return choice;
  const { from, through, ...selection } = choice.selection;
  return { ...selection, from: boundOf(from), through: boundOf(through) };
}

function boundOf(bound: z.output<typeof boundField> | undefined): ItemBound | undefined {
  if (bound === undefined || 'itemId' in bound) return bound;
  const at = parseInstant(bound.at);
  return at === undefined ? undefined : { at };
}
