import type { Session } from '../db';
import { AppError, type Instant, newId } from '../kernel';
import { openLedger } from './ledger-store';
import { type NewLedgerTransaction, swapped } from './ledger-transaction';

/**
 * Reverses a ledger transaction: records a new one that has the postings swapped and refers to the original. Each
 * transaction can be reversed once. A reversal cannot be reversed: record a new transaction.
 *
 * @throws AppError `not_found`, `conflict` (it is itself a reversal), `duplicate_key` (reversed before).
 */
export async function reverseTransaction(
  session: Session,
  request: {
    readonly originalReference: string;
    readonly reference: string;
    readonly occurredAt: Instant;
    readonly recordedAt: Instant;
    readonly recordedBy: string;
    readonly code: NewLedgerTransaction['code'];
  },
): Promise<NewLedgerTransaction> {
  const ledger = openLedger(session);
  const original = await ledger.find(request.originalReference);
  if (original === undefined) {
    throw new AppError('not_found', { thing: 'ledger transaction', id: request.originalReference });
  }
  if (original.reversesId !== undefined) {
    throw new AppError('is_reversal', { reference: request.originalReference });
  }
  const reversal: NewLedgerTransaction = {
    id: newId(),
    reference: request.reference,
    code: request.code,
    occurredAt: request.occurredAt,
    recordedAt: request.recordedAt,
    recordedBy: request.recordedBy,
    postings: swapped(original.postings),
    reversesId: original.id,
  };
  await ledger.post([reversal]);
  return reversal;
}
