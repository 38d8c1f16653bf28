import { assert } from '../kernel';
import type { ChannelAnswer, ChannelQuestion, PaymentsDeps } from '../payments';
import type { PaymentChannels } from './payment-channels';
import { observePos } from './pos/observe-pos';
import { startPos } from './pos/start-pos';
import { createQr } from './qr/create-qr';
import { observeQr } from './qr/observe-qr';
import { readQrHistory } from './qr/qr-history';
import { observeWallet } from './wallet/observe-wallet';
import { payFromWallet } from './wallet/pay-from-wallet';
import { walletReads } from './wallet/wallet';

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

/**
 * Asks the gateway about a payment of a channel without sessions.
 *
 * @throws GatewayError when it does not answer.
 */
export async function observeChannel(question: ChannelQuestion): Promise<ChannelAnswer> {
  const { kind } = question.payment;
  if (kind === 'pos') return observePos(question);
  if (kind === 'qr') return observeQr(question);
  assert(kind === 'wallet', 'a channel without sessions is POS, QR or wallet');
  return observeWallet(question);
}
