import { requireGateway, withGatewayFaults } from '../../attempts';
import { formatInstant } from '../../kernel';
import type { PaymentsDeps } from '../../payments';
import type { PaymentChannels } from '../payment-channels';
import { requireMerchant } from '../qr/create-qr';

/** The maximum number of rows of a wallet's history that are shown. */
const WALLET_ROWS_MAX = 10_000;
const QR_ROWS_MAX = 10_000;

/**
 * Returns the calls that only read from the gateway: customers' wallets (interface section 4.3) and the merchant's QR
 * purchases (section 4.5).
 */
export function walletReads(
  deps: PaymentsDeps,
): Pick<PaymentChannels, 'walletLink' | 'walletSession' | 'walletBalance' | 'walletHistory' | 'qrHistory'> {
  return {
    walletLink: async (phoneNumber) => {
      const { wallet } = requireGateway(deps);
      return withGatewayFaults(() => wallet.initiateLink({ phoneNumber }));
    },
    walletSession: async (account) => {
      const { wallet } = requireGateway(deps);
      return withGatewayFaults(() => wallet.authenticate(account));
    },
    walletBalance: async (account) => {
      const { wallet } = requireGateway(deps);
      return withGatewayFaults(() => wallet.balance(account));
    },
    walletHistory: async ({ phoneNumber, trackingId, from, to }) => {
      const { wallet } = requireGateway(deps);
      const window = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
      return withGatewayFaults(async () => {
        const operations = [];
        for await (const operation of wallet.history({ phoneNumber, trackingId, ...window })) {
          operations.push(operation);
          if (operations.length >= WALLET_ROWS_MAX) break;
        }
        return operations;
      });
    },
    qrHistory: async ({ from, until }) => {
      const { qr } = requireGateway(deps);
      const merchantId = requireMerchant(deps.settings);
      const window = { startDate: formatInstant(from), endDate: formatInstant(until) };
      return withGatewayFaults(() => qr.history({ merchantId, ...window, size: QR_ROWS_MAX }));
    },
  };
}
