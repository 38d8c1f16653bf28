import { randomUUID } from 'node:crypto';
import { type ActOptions, type PaymentSettings, requireGateway } from '../../attempts';
import { requireScope } from '../../identity';
import { AppError, newId } from '../../kernel';
import { type CreateOutcome, type PaymentsDeps, sendAttempt } from '../../payments';
import type { CreateQrRequest } from '../payment-channels';
import { QR_UNKNOWN_CODES } from './qr-terms';

/**
 * Creates a QR code (interface section 4.5). Millime chooses its operation uuid and stores it before the call. So
 * repeating the call for a code of unknown outcome creates no second code (open point 77).
 *
 * @throws AppError `bad_input`, `conflict`, `misconfigured`, `forbidden`.
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

/**
 * Returns the merchant of a request, or else of the installation.
 *
 * @throws AppError `bad_input` when neither names one.
 */
export function requireMerchant({ merchantId }: Pick<PaymentSettings, 'merchantId'>, given?: number): number {
  const merchant = given ?? merchantId;
  if (merchant !== undefined) return merchant;
  throw new AppError('bad_input', {
    field: 'merchantId',
    expected: 'a merchant',
    got: '',
    fix: 'name one, or set GATEWAY_MERCHANT_ID',
  });
}
