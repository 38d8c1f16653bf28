import { byIndex, column, rowCodec, type Session } from '../db';
import type { History } from '../payout-inference';
import { HISTORY_PAYOUTS_MAX, toHistory } from './to-match-request';

const LAST_MODEL = rowCodec({ lineId: column.text('line_id'), model: column.text('model') });
const PAYOUT = rowCodec({
  lineId: column.text('line_id'),
  stream: column.text('stream'),
  after: column.number('cut_after'),
  until: column.number('cut_until'),
  bookingDate: column.businessDate('booking_date'),
});

/**
 * Returns the newest payouts of live matches, by their cuts, and the model of the last run; undefined if no run has found
 * a model. The rows that are read do not depend on the number of payouts.
 */
export async function recentPayouts(session: Session): Promise<History | undefined> {
  const live = (matches: ReturnType<Session>): ReturnType<Session> =>
    matches.whereRaw('not exists (select 1 from payout_unmatches u where u.match_id = m.id)');
  const byRecording = [
    { column: 'm.recorded_at', order: 'desc' },
    { column: 'm.id', order: 'desc' },
  ];
  const last = await LAST_MODEL.first(
    live(session('payout_matches as m'))
      .select(LAST_MODEL.columns('m'))
      .whereNotNull('m.model')
      .orderBy(byRecording)
      .limit(1),
  );
  if (last === undefined) return undefined;
  const payouts = await PAYOUT.all(
    live(byIndex(session, 'payout_matches', 'm', 'payout_matches_cut'))
      .join('bank_statement_lines as l', 'l.id', 'm.line_id')
      .select('m.line_id', 'm.stream', 'm.cut_after', 'm.cut_until', 'l.booking_date')
      .whereNotNull('m.stream')
      .whereNotNull('m.cut_after')
      .whereNotNull('m.cut_until')
      .orderBy('m.cut_until', 'desc')
      .limit(HISTORY_PAYOUTS_MAX),
  );
  const matches = payouts.map(({ lineId, stream, after, until }) => ({
    ...{ lineId, stream, model: undefined },
    cut: { after, until },
  }));
  return toHistory({ matches: [...matches, { ...last, stream: undefined, cut: undefined }], credits: payouts });
}
