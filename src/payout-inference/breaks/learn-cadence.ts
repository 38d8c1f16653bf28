import { addToGroup } from '../../kernel';
import type { BankLine, MatchRequest, Stream } from '../match-request';
import type { Inference } from '../match-result';
import type { DayTable } from './day-table';
import { type KnownPayout, PayoutCadence } from './payout-cadence';

/** Returns the cadence of each stream; a stream that was never paid has the cadence of no payouts. */
export type CadenceOf = (stream: Stream) => PayoutCadence;

/** Learns the cadence of each stream from the resolved credits of this request and the payouts of earlier runs. */
export function learnCadence(
  { history }: Pick<MatchRequest, 'history'>,
  { credits }: Pick<Inference, 'credits'>,
  lines: ReadonlyMap<string, BankLine>,
  days: DayTable,
): CadenceOf {
  const payouts = new Map<Stream, KnownPayout[]>();
  const know = (stream: Stream, payout: KnownPayout): void => {
    addToGroup(payouts, stream, payout);
  };
  for (const { stream, cut, bookingDate } of history?.payouts ?? []) know(stream, { cut, bookingDate });
  for (const { lineId, outcome, stream, cut } of credits) {
    const line = lines.get(lineId);
    if (outcome !== 'resolved' || stream === undefined || cut === undefined || line === undefined) continue;
    know(stream, { cut, bookingDate: line.bookingDate });
  }
  const cadences = new Map<Stream, PayoutCadence>();
  return (stream) => {
    let cadence = cadences.get(stream);
    if (cadence === undefined) {
      cadences.set(stream, (cadence = new PayoutCadence(stream, payouts.get(stream) ?? [], days)));
    }
    return cadence;
  };
}
