import type { SimOperation } from '../core/operation';
import type { TimelineHandlers } from '../core/timeline';
import { initiateLink } from './link-account';
import { walletOf } from './named-wallet';
import { succeed, WALLET_LATE_SUCCESS } from './wallet-payment';
import { pay } from './wallet-payment';
import { balance, history } from './wallet-reads';
import { authenticate, refresh } from './wallet-session';

/** Wallet partner operations (interface section 4.3). */
export const walletOperations: readonly SimOperation[] = [initiateLink, authenticate, refresh, balance, history, pay];

export const walletEvents: TimelineHandlers = {
  [WALLET_LATE_SUCCESS]: (simulation, { trackingId, operationId }) => {
    const wallet = walletOf(simulation.world.wallet.wallets, String(trackingId));
    const operation = wallet?.operations.find((row) => row.operationId === operationId);
    if (wallet !== undefined && operation !== undefined) succeed(simulation, wallet, operation);
  },
};
