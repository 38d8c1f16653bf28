import type { PayableItem, PayoutChannel } from './payable-item';

/**
 * How the gateway turns the available items into transfers at a cut. The interface confirms none of these models.
 *
 * - `sweep-all`: everything in one transfer.
 * - `sweep-per-channel`: one transfer for each channel.
 * - `sweep-card-only`: card money in one transfer; these cuts do not pay the other channels.
 * - `per-item`: one transfer for each item.
 */
export const PAYOUT_MODELS = ['sweep-all', 'sweep-per-channel', 'sweep-card-only', 'per-item'] as const;
export type PayoutModel = (typeof PAYOUT_MODELS)[number];

/** The items that one transfer of a model may combine. */
export type PayoutStream = 'all' | 'item' | PayoutChannel;

/** Returns the stream of an item, or undefined when the model never pays it. */
export function streamOf(model: PayoutModel, { channel }: PayableItem): PayoutStream | undefined {
  switch (model) {
    case 'sweep-all':
      return 'all';
    case 'sweep-per-channel':
      return channel;
    case 'sweep-card-only':
      return channel === 'card' ? 'card' : undefined;
    case 'per-item':
      return 'item';
  }
}
