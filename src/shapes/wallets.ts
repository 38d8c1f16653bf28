import { z } from 'zod';
import type { InitiatedLink, QrTransaction, WalletBalance, WalletOperation } from '../gateway';
import { millimesValue } from './values';

/** The answer to the request for a code that links a wallet. */
export const walletLinkValue = z
  .strictObject({
    sessionId: z.string(),
    name: z.string(),
    phoneNumber: z.string().nullable(),
    message: z.string().nullable(),
  })
  .meta({ id: 'WalletLink' });

/** Returns a requested link as JSON. */
export function walletLinkJson(link: InitiatedLink): z.input<typeof walletLinkValue> {
  const { sessionId, name, phoneNumber, message } = link;
  return { sessionId, name, phoneNumber, message };
}

export const walletBalanceValue = z
  .strictObject({ walletId: z.string(), balanceMillimes: millimesValue })
  .meta({ id: 'WalletBalance' });

/** Returns the balance of a wallet as JSON. */
export function walletBalanceJson({ walletId, balanceMillimes }: WalletBalance): z.input<typeof walletBalanceValue> {
  return { walletId, balanceMillimes };
}

/** One row of a wallet's history. The gateway states no amount. */
export const walletOperationValue = z
  .strictObject({
    operationId: z.string(),
    sender: z.string().nullable(),
    status: z.string(),
    timeCreated: z.string().nullable().meta({ description: 'As the gateway wrote it.' }),
    payload: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'WalletOperation' });

/** Returns a row of a wallet's history as JSON. */
export function walletOperationJson(operation: WalletOperation): z.input<typeof walletOperationValue> {
  const { operationId, sender, status, timeCreated, payload } = operation;
  return { operationId, sender, status, timeCreated, payload };
}

/** One purchase of the merchant's QR history. */
export const qrPurchaseValue = z
  .strictObject({
    transactionUniqueId: z.string(),
    time: z.string().meta({ description: 'In UTC, as the gateway wrote it.' }),
    amountMillimes: millimesValue,
    channel: z.string().nullable(),
  })
  .meta({ id: 'QrPurchase' });

/** Returns a purchase of the merchant's QR history as JSON. */
export function qrPurchaseJson(purchase: QrTransaction): z.input<typeof qrPurchaseValue> {
  const { transactionUniqueId, time, amountMillimes, channel } = purchase;
  return { transactionUniqueId, time, amountMillimes, channel };
}
