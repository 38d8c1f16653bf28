import { type Channel, type ChannelGroup, CHANNELS, type History, type Stream } from './match-request';
import type { Hypothesis } from './model-answer';

/** Returns the name of the stream that pays these channels; at least one. */
export function groupOf(channels: readonly Channel[]): Stream {
  const ordered = CHANNELS.filter((channel) => channels.includes(channel));
  return ordered.join('+') as Channel | ChannelGroup;
}

/** Returns the channels of a group or of a single channel, none for the other streams. */
export function channelsOf(stream: Stream): readonly Channel[] {
  const names: readonly string[] = stream.split('+');
  return CHANNELS.filter((channel) => names.includes(channel));
}

/** Returns the stream that pays a channel under a model; a channel that is in no group has its own. */
export function streamOf({ model, groups = [] }: Pick<Hypothesis, 'model' | 'groups'>, channel: Channel): Stream {
  if (model === 'sweep-all') return 'all';
  if (model === 'per-item') return 'item';
  return groups.find((group) => channelsOf(group).includes(channel)) ?? channel;
}

/**
 * Returns the groups of earlier payouts, later payouts first, and each other channel as a stream of its own. Undefined
 * if they followed another model.
 */
export function groupsBefore(history: History | undefined): readonly Stream[] | undefined {
  if (history?.model !== 'sweep-by-group') return undefined;
  const groups: Stream[] = [];
  const open = new Set<Channel>(CHANNELS);
  const latestFirst = [...history.payouts].sort((a, b) => b.cut.after - a.cut.after);
  for (const stream of [...latestFirst.map((payout) => payout.stream), ...CHANNELS]) {
    const channels = channelsOf(stream);
    if (channels.length === 0 || !channels.every((channel) => open.has(channel))) continue;
    for (const channel of channels) open.delete(channel);
    groups.push(stream);
  }
  return groups;
}
