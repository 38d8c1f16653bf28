import { randomUUID } from 'node:crypto';
import { requireScope } from '../identity';
import { AppError, millimes, newId } from '../kernel';
import { sendAttempt } from './begin-attempt';
import { toGatewayFault } from './gateway-fault';
import { newPayment } from './new-payment';
import { FIRST_LOOK_AFTER_MS } from './next-channel-look';
import type { ActOptions, CreateOutcome, CreateQrRequest, PaymentsDeps, PaymentSettings } from './payments';
import { QR_UNKNOWN_CODES } from './qr-terms';
import { requireGateway } from './require-gateway';

/**
 * Makes a QR code (interface section 4.5). Its operation uuid is ours and stored before the call, so a code whose
 * making nobody knows of is asked for again, and not made twice (open point 77).
 *
 * @throws AppError `bad_input` with a detail per field, `conflict`, `misconfigured`, `forbidden`.
 */
export async function createQr(
  deps: PaymentsDeps,
  request: CreateQrRequest,
  { actor, dryRun }: ActOptions,
): Promise<CreateOutcome> {
  requireScope(actor, 'payments:write');
  const gateway = requireGateway(deps);
  const { amountMillimes, barcode, reference, agentId } = request;
  const operationUuid = randomUUID();
  const merchantId = requireMerchant(deps.settings, request.merchantId);
  const terms = { amountMillimes, merchantId, operationUuid, ...(barcode === undefined ? {} : { barcode }) };
  try {
    gateway.check('qr.generate', terms);
  } catch (error) {
    throw toGatewayFault(error);
  }
  const sentAt = deps.clock.now();
  const amount = millimes(amountMillimes);
  const started = newPayment({
    trackingId: newId(),
    kind: 'qr',
    reference,
    agentId,
    amount,
    ourShare: amount,
    terms,
    isTest: deps.settings.isTest,
    requestState: 'sending',
    requestedAt: sentAt,
    sentAt,
    recordedBy: actor.name,
  });
  return sendAttempt(deps, {
    payment: { ...started, gatewayId: operationUuid },
    actor,
    dryRun,
    call: async () => ({ link: (await gateway.qr.generate(terms)).qrCode }),
    unknownCodes: QR_UNKNOWN_CODES,
    firstLookAt: sentAt + FIRST_LOOK_AFTER_MS,
  });
}

/** @throws AppError `bad_input`, which names where to give it, when no merchant is known. */
export function requireMerchant({ merchantId }: Pick<PaymentSettings, 'merchantId'>, given?: number): number {
  const merchant = given ?? merchantId;
  if (merchant !== undefined) return merchant;
  const details = ['merchantId is needed: give --merchant, or set GATEWAY_MERCHANT_ID'];
  throw new AppError('bad_input', 'no merchant is named', { details });
}
