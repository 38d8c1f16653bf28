import type { SimOperation } from '../core/operation';
import type { TimelineHandlers } from '../core/timeline';
import { generateQrCode } from './generate-qr-code';
import { actAsQrCustomer, QR_CUSTOMER } from './qr-customer';
import { qrHistory, verifyQrTransaction } from './qr-transactions';

/** QR codes (interface section 4.5). */
export const qrOperations: readonly SimOperation[] = [generateQrCode, verifyQrTransaction, qrHistory];

export const qrEvents: TimelineHandlers = {
  [QR_CUSTOMER]: (simulation, { operationUuid }) => actAsQrCustomer(simulation, String(operationUuid)),
};
