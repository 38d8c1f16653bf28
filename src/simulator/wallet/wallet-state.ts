import type { Instant, Millimes } from '../../kernel';
import { SEEDED_WALLETS } from './seeded-wallets';

/** `PENDING` is an undecided payment. */
export type WalletOperationStatus = 'SUCCESS' | 'PENDING' | 'FAILURE' | 'SYSTEM_FAILURE';

/** A payment from a wallet, shown as a row of Get History. */
export interface SimWalletOperation {
  readonly operationId: string;
  readonly amountMillimes: Millimes;
  readonly product: string;
  readonly hash: string;
  readonly blockchainRef: string;
  readonly webhook: string | null;
  readonly createdAt: Instant;
  status: WalletOperationStatus;
}

/** A linked wallet of a customer. */
export interface SimWallet {
  readonly walletId: string;
  /** Digits with the country's prefix. */
  readonly phoneNumber: string;
  readonly trackingId: string;
  readonly name: string;
  balanceMillimes: Millimes;
  /** The oldest first. */
  readonly operations: SimWalletOperation[];
}

/** A link that waits for its one-time code. */
export interface SimLink {
  readonly sessionId: string;
  readonly phoneNumber: string;
  readonly name: string;
  /** The one-time code that was sent to the customer. */
  readonly code: string;
  readonly expiresAt: Instant;
  /** Set when the customer has entered the code. */
  trackingId: string | null;
}

export interface SimWalletSession {
  readonly refreshToken: string;
  readonly trackingId: string;
  readonly refreshExpiresAt: Instant;
  token: string;
  tokenExpiresAt: Instant;
}

export interface WalletState {
  /** By tracking id. */
  readonly wallets: Record<string, SimWallet>;
  /** By session id. */
  readonly links: Record<string, SimLink>;
  /** By refresh token. */
  readonly sessions: Record<string, SimWalletSession>;
}

export function emptyWalletState(): WalletState {
  const wallets = SEEDED_WALLETS.map((wallet): [string, SimWallet] => [
    wallet.trackingId,
    { ...wallet, operations: [] },
  ]);
  return { wallets: Object.fromEntries(wallets), links: {}, sessions: {} };
}

declare module '../core/world' {
  interface World {
    readonly wallet: WalletState;
  }
}
