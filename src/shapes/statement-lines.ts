import { z } from 'zod';
import { type LineOnStatement, minorUnitsText, type PendingEntry } from '../statements';
import { amountText } from './statements';
import { dayValue, idValue, millimesValue } from './values';

const movementFields = {
  id: idValue,
  statementId: idValue,
  position: z.int(),
  account: z.string(),
  currency: z.string(),
  bookingDate: dayValue,
  valueDate: dayValue.nullable(),
  counterparty: z.string(),
  counterpartyAccount: z.string(),
  remittance: z.string(),
  bankReference: z.string(),
  endToEndId: z.string(),
  raw: z.string(),
  amount: amountText.meta({ description: 'Positive: credit.' }),
};

/** A line on a statement. */
export const statementLineValue = z
  .strictObject({
    ...movementFields,
    fileLine: z.int().optional(),
    transactionCode: z.string(),
    details: z.array(z.unknown()),
    payoutCandidate: z.boolean().meta({ description: 'Whether it may be a payout of the gateway.' }),
    known: z.boolean().meta({ description: 'Whether another statement brought it first: that of `statementId`.' }),
    balanceAfter: amountText.nullable(),
    amountMillimes: millimesValue.optional().meta({ description: 'Only of dinars.' }),
    balanceAfterMillimes: millimesValue.nullable().optional(),
  })
  .meta({ id: 'StatementLine' });

/** Returns a line on a statement as JSON. */
export function statementLineJson({ line, position, known }: LineOnStatement): z.input<typeof statementLineValue> {
  const { amountMinor, balanceAfterMinor, statementId, identity: _identity, details, ...rest } = line;
  return {
    ...rest,
    details: [...details],
    position,
    known,
    // The statement that brought the line: this one or an earlier one.
    statementId,
    valueDate: line.valueDate ?? null,
    amount: minorUnitsText(amountMinor, line.currency),
    balanceAfter: balanceAfterMinor === undefined ? null : minorUnitsText(balanceAfterMinor, line.currency),
    ...(line.currency === 'TND'
      ? { amountMillimes: amountMinor, balanceAfterMillimes: balanceAfterMinor ?? null }
      : {}),
  };
}

/** A movement that a bank announced and has not booked. */
export const announcedEntryValue = z
  .strictObject({ ...movementFields, status: z.enum(['pending', 'information', 'interim']) })
  .meta({ id: 'AnnouncedEntry' });

/** Returns an announced movement as JSON. */
export function announcedEntryJson(entry: PendingEntry): z.input<typeof announcedEntryValue> {
  const { amountMinor, ...rest } = entry;
  return { ...rest, valueDate: entry.valueDate ?? null, amount: minorUnitsText(amountMinor, entry.currency) };
}
