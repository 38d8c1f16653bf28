import { column, type Decoded, rowCodec } from '../db';
import { CHANNELS, EVIDENCE_GRADES } from '../payout-inference';
import {
  linesOf,
  MATCH_KINDS,
  type MatchedBy,
  type MatchPart,
  type NewMatch,
  type ReturnLines,
  type StoredMatch,
  UNMATCH_KINDS,
} from './match';

export const MATCH = rowCodec({
  id: column.text('id'),
  lineId: column.text('line_id'),
  runId: column.optional(column.text('run_id')),
  kind: column.word('kind', MATCH_KINDS),
  model: column.optional(column.text('model')),
  stream: column.optional(column.text('stream')),
  evidence: column.word('evidence', EVIDENCE_GRADES),
  gross: column.millimes('gross_millimes'),
  fee: column.millimes('fee_millimes'),
  tva: column.millimes('tva_millimes'),
  remainder: column.millimes('remainder_millimes'),
  restChannel: column.word('rest_channel', CHANNELS),
  claimedError: column.optional(column.printedNumber('claimed_error')),
  cutAfter: column.optional(column.number('cut_after')),
  cutUntil: column.optional(column.number('cut_until')),
  recordedAt: column.number('recorded_at'),
});
const { lineId, model, stream, cutAfter, cutUntil } = MATCH.fields;
/** What a match tells about the habits of its stream. */
export const CUT = rowCodec({ lineId, model, stream, cutAfter, cutUntil });
/** The columns of a match that only its writer uses. */
const MATCHED_BY = rowCodec({
  ledgerTransactionId: column.text('ledger_transaction_id'),
  reason: column.optional(column.text('reason')),
  recordedBy: column.text('recorded_by'),
  approvedBy: column.optional(column.text('approved_by')),
});
const { reason, recordedBy, approvedBy } = MATCHED_BY.fields;
export const WRITTEN_BY = rowCodec({
  ...{ reason, recordedBy, approvedBy },
  runId: MATCH.fields.runId,
  recordedAt: MATCH.fields.recordedAt,
});
export const PART = rowCodec({
  itemId: column.text('item_id'),
  channel: column.word('channel', CHANNELS),
  amount: column.millimes('amount_millimes'),
  fee: column.millimes('fee_millimes'),
  tva: column.millimes('tva_millimes'),
  evidence: column.word('evidence', EVIDENCE_GRADES),
});
export const MATCH_ID = rowCodec({ matchId: column.text('match_id') });
export const RETURN_LINES = rowCodec({
  creditLineId: column.text('credit_line_id'),
  debitLineId: column.text('debit_line_id'),
});
export const RETURN = rowCodec({ ...MATCH_ID.fields, ...RETURN_LINES.fields });
export const UNMATCH = rowCodec({
  matchId: column.text('match_id'),
  kind: column.word('kind', UNMATCH_KINDS),
  debitLineId: column.optional(column.text('debit_line_id')),
  recordedAt: column.number('recorded_at'),
});
export const REVERSED = rowCodec({
  matchId: UNMATCH.fields.matchId,
  kind: UNMATCH.fields.kind,
  recordedAt: UNMATCH.fields.recordedAt,
  reason: column.text('reason'),
  recordedBy: column.text('recorded_by'),
});
export const UNMATCHED = rowCodec({ ...UNMATCH.fields, lineId: column.text('line_id') });
export const TIMES_MATCHED = rowCodec({ lineId: column.text('line_id'), times: column.number('times') });

export interface WrittenMatch extends NewMatch {
  readonly ledgerTransactionId: string;
}

export function lineClaims(match: NewMatch): Record<string, unknown>[] {
  return linesOf(match).map((lineId) => ({ line_id: lineId, match_id: match.id }));
}

export function matchRow(match: WrittenMatch, by: MatchedBy): Record<string, unknown> {
  const { runId, recordedAt, ...rest } = by;
  const cut = { cutAfter: match.cut?.after, cutUntil: match.cut?.until };
  return {
    ...MATCH.write({ ...match, ...cut, runId, recordedAt }),
    ...MATCHED_BY.write({ ...rest, ledgerTransactionId: match.ledgerTransactionId }),
  };
}

export function itemRows({ id, parts }: NewMatch): Record<string, unknown>[] {
  return parts.map((part) => ({ match_id: id, ...PART.write(part) }));
}

export function returnRows({ id, returned }: NewMatch): Record<string, unknown>[] {
  return returned === undefined ? [] : [RETURN.write({ matchId: id, ...returned })];
}

export function toMatch(
  { cutAfter, cutUntil, ...match }: Decoded<typeof MATCH>,
  parts: readonly MatchPart[],
  returned: ReturnLines | undefined,
): StoredMatch {
  const cut = cutAfter === undefined ? undefined : { after: cutAfter, until: cutUntil };
  return { ...match, cut, parts, returned };
}
