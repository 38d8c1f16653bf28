import type { TimelineHandlers } from '../core/timeline';
import { walletOf } from './named-wallet';
import { succeed, WALLET_LATE_SUCCESS } from './wallet-payment';

export const walletEvents: TimelineHandlers = {
  [WALLET_LATE_SUCCESS]: (simulation, { trackingId, operationId }) => {
    const wallet = walletOf(simulation.world.wallet.wallets, String(trackingId));
    const operation = wallet?.operations.find((row) => row.operationId === operationId);
    if (wallet !== undefined && operation !== undefined) succeed(simulation, wallet, operation);
  },
};
