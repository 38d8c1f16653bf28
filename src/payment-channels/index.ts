import type { PaymentsDeps } from '../payments';
import type { PaymentChannels } from './payment-channels';
import { startPos } from './pos/start-pos';
import { createQr } from './qr/create-qr';
import { readQrHistory } from './qr/qr-history';
import { payFromWallet } from './wallet/pay-from-wallet';
import { walletReads } from './wallet/wallet';

export { checkChannelStatus } from './status-checks/check-channel';
export type { PaymentChannels, StartPosRequest } from './payment-channels';

export function createPaymentChannels(deps: PaymentsDeps): PaymentChannels {
  return {
    startPos: (request, options) => startPos(deps, request, options),
    createQr: (request, options) => createQr(deps, request, options),
    readQrHistory: (window) => readQrHistory(deps, window),
    payFromWallet: (request, options) => payFromWallet(deps, request, options),
    ...walletReads(deps),
  };
}
