import type { SimOperation } from '../core/operation';
import { initiateLink } from './link-account';
import { pay } from './wallet-payment';
import { balance, history } from './wallet-reads';
import { authenticate, refresh } from './wallet-session';

/** Wallet partner operations (interface section 4.3). */
export const walletOperations: readonly SimOperation[] = [initiateLink, authenticate, refresh, balance, history, pay];
