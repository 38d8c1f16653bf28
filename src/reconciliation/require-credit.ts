import type { Session } from '../db';
import { AppError, type BusinessDate } from '../kernel';
import { openPayoutMarks, openStatements, type PayoutCandidate, type StoredLine } from '../statements';

/**
 * Returns an effective credit that may be a payout, booked through a day.
 * @throws AppError `not_found`; `line_no_payout`, which states why, for another stored line.
 */
export async function requireCredit(session: Session, lineId: string, through: BusinessDate): Promise<PayoutCandidate> {
  const [credit] = await openStatements(session).payoutCandidates({ through, lineId });
  if (credit !== undefined) return credit;
  const line = await openPayoutMarks(session).line(lineId);
  throw line === undefined ? new AppError('not_found', { thing: 'credit', id: lineId }) : noPayout(lineId, line);
}

function noPayout(lineId: string, { statementId, currency, amountMinor, isPayout }: StoredLine): AppError {
  const because = (fault: string, command?: string): AppError =>
    new AppError('line_no_payout', { lineId, fault, command });
  if (amountMinor <= 0) return because('is no credit');
  if (currency !== 'TND') return because(`is in ${currency}, and only dinars are reconciled`);
  if (!isPayout) {
    const mark = `millime statements mark-payouts ${statementId} --payout-pattern <text> --reason <why>`;
    return because('is not marked as a payout', `run "${mark}" if it is one`);
  }
  return because('does not count yet', `check its statement with "millime statements show ${statementId}"`);
}
