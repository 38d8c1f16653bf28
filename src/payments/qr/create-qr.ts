import { randomUUID } from 'node:crypto';
import { requireScope } from '../../identity';
import { AppError, newId } from '../../kernel';
import { sendAttempt } from '../attempts/send-attempt';
import type { ActOptions, CreateOutcome, CreateQrRequest, PaymentsDeps, PaymentSettings } from '../payments';
import { QR_UNKNOWN_CODES } from './qr-terms';
import { requireGateway } from '../require-gateway';

/**
 * Makes a QR code (interface section 4.5). Its operation uuid is ours and stored before the call, so a code whose
 * making nobody knows of is asked for again, and not made twice (open point 77).
 *
 * @throws AppError `bad_input` with a detail per field, `conflict`, `misconfigured`, `forbidden`.
 */
export async function createQr(
  deps: PaymentsDeps,
  request: CreateQrRequest,
  options: ActOptions,
): Promise<CreateOutcome> {
  requireScope(options.actor, 'payments:write');
  const gateway = requireGateway(deps);
  const { amountMillimes, barcode, reference, agentId } = request;
  const operationUuid = randomUUID();
  const merchantId = requireMerchant(deps.settings, request.merchantId);
  const terms = { amountMillimes, merchantId, operationUuid, ...(barcode === undefined ? {} : { barcode }) };
  return sendAttempt(
    deps,
    {
      trackingId: newId(),
      kind: 'qr',
      terms,
      amountMillimes,
      reference,
      agentId,
      gatewayId: operationUuid,
      check: () => gateway.check('qr.generate', terms),
      call: async () => ({ link: (await gateway.qr.generate(terms)).qrCode }),
      unknownCodes: QR_UNKNOWN_CODES,
    },
    options,
  );
}

/** @throws AppError `bad_input`, which names where to give it, when no merchant is known. */
export function requireMerchant({ merchantId }: Pick<PaymentSettings, 'merchantId'>, given?: number): number {
  const merchant = given ?? merchantId;
  if (merchant !== undefined) return merchant;
  const details = ['merchantId is needed: give --merchant, or set GATEWAY_MERCHANT_ID'];
  throw new AppError('bad_input', 'no merchant is named', { details });
}
