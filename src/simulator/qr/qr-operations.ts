import type { SimOperation } from '../core/operation';
import { generateQrCode } from './generate-qr-code';
import { qrHistory, verifyQrTransaction } from './qr-transactions';

/** QR codes (interface section 4.5). */
export const qrOperations: readonly SimOperation[] = [generateQrCode, verifyQrTransaction, qrHistory];
