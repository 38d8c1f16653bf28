import { AppError } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { earnMoney } from '../payouts/earn-money';
import type { SimQrCode, SimQrPayment } from './qr-state';

const TIMES_MAX = 1_000;

export interface PayQrOptions {
  /** The number of customers who pay the code; default 1. */
  readonly times?: number | undefined;
  /** The wallet that pays; default `service`. */
  readonly channel?: string | undefined;
}

/**
 * Pays a code as customers: verified and settled immediately (interface section 4.5).
 *
 * @returns the transaction ids of the payments.
 * @throws AppError `not_found` for an unknown code, `bad_input` for a number of times outside 1 to 1,000.
 */
export function payQr(
  simulation: Simulation,
  operationUuid: string,
  { times = 1, channel = 'service' }: PayQrOptions = {},
): readonly string[] {
  const code = codeOf(simulation, operationUuid);
  if (code === undefined) throw new AppError('not_found', { thing: 'QR code', id: operationUuid });
  if (!Number.isSafeInteger(times) || times < 1 || times > TIMES_MAX) {
    throw new AppError('bad_input', { field: 'times', expected: `a whole number from 1 to ${TIMES_MAX}`, got: times });
  }
  return Array.from({ length: times }, () => payOnce(simulation, code, channel));
}

/** Finds a code. The case of the uuid has no meaning. */
export function codeOf({ world }: Simulation, operationUuid: string): SimQrCode | undefined {
  const key = operationUuid.toLowerCase();
  return Object.hasOwn(world.qr.codes, key) ? world.qr.codes[key] : undefined;
}

function payOnce(
  simulation: Simulation,
  { operationUuid, merchantId, amountMillimes, isTest }: SimQrCode,
  channel: string,
): string {
  const now = simulation.now();
  const payment: SimQrPayment = {
    transactionUniqueId: simulation.newId('qr_'),
    operationUuid,
    merchantId,
    amountMillimes,
    isTest,
    paidAt: now,
    channel,
  };
  const { transactionUniqueId } = payment;
  simulation.world.qr.payments.push(payment);
  simulation.record('qr.paid', { operationUuid, transactionUniqueId, amountMillimes });
  if (isTest) return transactionUniqueId;
  const itemId = `payment:${transactionUniqueId}`;
  earnMoney(simulation, { itemId, channel: 'qr', amountMillimes, succeededAt: now, availableAt: now });
  return transactionUniqueId;
}
