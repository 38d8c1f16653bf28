import { directionOf, type NewBreak, openBreakStore } from '../../breaks';
import type { Session } from '../../db';
import { type Instant, millimes } from '../../kernel';
import { type ChannelProof, type DayProof, unexplainedOf } from './day-proof';

/**
 * Distinct from the breaks of this class that runs open by stream and month, so that runs neither find nor close these.
 */
const FINGERPRINT = 'clearing_unexplained:proof:';

/** Opens, changes or closes one break per channel for the unexplained part of its balance. */
export async function noteUnexplained(session: Session, proof: DayProof, at: Instant, actor: string): Promise<void> {
  const store = openBreakStore(session);
  const known = await store.byFingerprint(proof.channels.map(fingerprintOfChannel));
  for (const channel of proof.channels) {
    const before = known.get(fingerprintOfChannel(channel));
    const unexplained = unexplainedOf(channel);
    if (unexplained === 0n) {
      if (before !== undefined && before.status !== 'resolved') await store.resolve(before.id, 'explained', at, actor);
      continue;
    }
    const now = breakOf(channel, unexplained, proof);
    if (before === undefined) await store.open([now], at, actor);
    else if (before.status === 'resolved') await store.reopen(before.id, now, at, actor);
    // The break ages from the day of the first closing that found it.
    else if (before.amount !== now.amount) await store.change(before.id, { ...now, since: before.since }, at, actor);
  }
}

function breakOf({ channel }: ChannelProof, unexplained: bigint, { date }: DayProof): NewBreak {
  const amount = Number(unexplained);
  return {
    fingerprint: `${FINGERPRINT}${channel}`,
    breakClass: 'clearing_unexplained',
    since: date,
    amount: Number.isSafeInteger(amount) ? millimes(amount) : undefined,
    direction: directionOf(amount),
    subject: { itemIds: [], lineIds: [], facts: { channel, day: date, unexplainedMillimes: String(unexplained) } },
  };
}

function fingerprintOfChannel({ channel }: ChannelProof): string {
  return `${FINGERPRINT}${channel}`;
}
