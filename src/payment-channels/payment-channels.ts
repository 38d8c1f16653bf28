import type { ActOptions } from '../attempts';
import type {
  InitiatedLink,
  QrTransaction,
  WalletAccount,
  WalletBalance,
  WalletOperation,
  WalletSession,
} from '../gateway';
import type { Actor } from '../identity';
import type { Instant } from '../kernel';
import type { CreateOutcome } from '../payments';

/** The stored status of an answer that lists no transaction of the payment. */
export const NOT_LISTED = 'not_listed';

export interface StartPosRequest {
  readonly idTerminal: string;
  readonly serialNumber: string;
  readonly amountMillimes: number;
  readonly paymentMethod: 'NFC' | 'CARD' | 'WALLET' | 'CHECK';
  readonly reference?: string | undefined;
  readonly agentId?: string | undefined;
}

export interface CreateQrRequest {
  readonly amountMillimes: number;
  readonly merchantId?: number | undefined;
  readonly barcode?: boolean | undefined;
  readonly reference?: string | undefined;
  readonly agentId?: string | undefined;
}

export interface WalletPayRequest {
  readonly phoneNumber: string;
  /** The customer's tracking id, a uuid from account linking. */
  readonly trackingId: string;
  readonly amountMillimes: number;
  readonly product: string;
  readonly reference?: string | undefined;
}

/** The channels without sessions: creates their payments, and reads the gateway's lists of transactions. */
export interface PaymentChannels {
  startPos(request: StartPosRequest, options: ActOptions): Promise<CreateOutcome>;
  createQr(request: CreateQrRequest, options: ActOptions): Promise<CreateOutcome>;
  /** Returns a merchant's purchases in the gateway's list; changes nothing. */
  qrHistory(query: { readonly from: Instant; readonly until: Instant }): Promise<readonly QrTransaction[]>;
  /** Imports unknown payments of the merchant's history of `[from, until)`. Returns the number of new ones. */
  readQrHistory(window: { readonly from: Instant; readonly until: Instant }): Promise<number>;
  /**
   * Sends a customer the code that links the wallet. The audit trail names the actor of this call and of the next three,
   * because they concern a customer.
   */
  walletLink(phoneNumber: string, actor: Actor): Promise<InitiatedLink>;
  walletSession(account: WalletAccount, actor: Actor): Promise<WalletSession>;
  walletBalance(account: WalletAccount, actor: Actor): Promise<WalletBalance>;
  walletHistory(
    query: WalletAccount & { readonly from?: Instant | undefined; readonly until?: Instant | undefined },
    actor: Actor,
  ): Promise<readonly WalletOperation[]>;
  payFromWallet(request: WalletPayRequest, options: ActOptions): Promise<CreateOutcome>;
}
